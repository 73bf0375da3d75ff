// Opens the lists of both models. Each list has types of its own, so each one is written out.

import ModelSupport
import TypeMatrix

/// An open list without its types.
struct OpenPairList {
  let name: String
  let isComplete: () -> Bool
  /// The ids of each section.
  let sections: () -> [[UUIDValue]]

  init<Object: Model, Section: ListSection>(_ name: String, _ list: ListHandle<Object, Section>) {
    self.name = name
    isComplete = { list.isComplete }
    sections = { list.snapshot.sections.map { $0.ids.map(\.rawValue) } }
  }
}

extension Ranked {
  static func openAll(_ store: ModelStore, _ calendar: ListCalendar) -> [OpenPairList] {
    [
      OpenPairList("list01", store.list(Ranked.list01, calendar: calendar)),
      OpenPairList("list02", store.list(Ranked.list02, calendar: calendar)),
      OpenPairList("list03", store.list(Ranked.list03, calendar: calendar)),
      OpenPairList("list04", store.list(Ranked.list04, calendar: calendar)),
      OpenPairList("list05", store.list(Ranked.list05, calendar: calendar)),
      OpenPairList("list06", store.list(Ranked.list06, calendar: calendar)),
      OpenPairList("list07", store.list(Ranked.list07, calendar: calendar)),
      OpenPairList("list08", store.list(Ranked.list08, calendar: calendar)),
      OpenPairList("list09", store.list(Ranked.list09, calendar: calendar)),
      OpenPairList("list10", store.list(Ranked.list10, calendar: calendar)),
      OpenPairList("list11", store.list(Ranked.list11, calendar: calendar)),
      OpenPairList("list12", store.list(Ranked.list12, calendar: calendar)),
      OpenPairList("list13", store.list(Ranked.list13, calendar: calendar)),
      OpenPairList("list14", store.list(Ranked.list14, calendar: calendar)),
      OpenPairList("list15", store.list(Ranked.list15, calendar: calendar)),
      OpenPairList("list16", store.list(Ranked.list16, calendar: calendar)),
      OpenPairList("list17", store.list(Ranked.list17, calendar: calendar)),
      OpenPairList("list18", store.list(Ranked.list18, calendar: calendar)),
      OpenPairList("list19", store.list(Ranked.list19, calendar: calendar)),
      OpenPairList("list20", store.list(Ranked.list20, calendar: calendar)),
      OpenPairList("list21", store.list(Ranked.list21, calendar: calendar)),
      OpenPairList("list22", store.list(Ranked.list22, calendar: calendar)),
      OpenPairList("list23", store.list(Ranked.list23, calendar: calendar)),
      OpenPairList("list24", store.list(Ranked.list24, calendar: calendar)),
      OpenPairList("list25", store.list(Ranked.list25, calendar: calendar)),
      OpenPairList("list26", store.list(Ranked.list26, calendar: calendar)),
      OpenPairList("list27", store.list(Ranked.list27, calendar: calendar)),
      OpenPairList("list28", store.list(Ranked.list28, calendar: calendar)),
      OpenPairList("list29", store.list(Ranked.list29, calendar: calendar)),
      OpenPairList("list30", store.list(Ranked.list30, calendar: calendar)),
      OpenPairList("list31", store.list(Ranked.list31, calendar: calendar)),
      OpenPairList("list32", store.list(Ranked.list32, calendar: calendar)),
      OpenPairList("list33", store.list(Ranked.list33, calendar: calendar)),
      OpenPairList("list34", store.list(Ranked.list34, calendar: calendar)),
      OpenPairList("list35", store.list(Ranked.list35, calendar: calendar)),
      OpenPairList("list36", store.list(Ranked.list36, calendar: calendar)),
      OpenPairList("list37", store.list(Ranked.list37, calendar: calendar)),
      OpenPairList("list38", store.list(Ranked.list38, calendar: calendar)),
      OpenPairList("list39", store.list(Ranked.list39, calendar: calendar)),
      OpenPairList("list40", store.list(Ranked.list40, calendar: calendar)),
      OpenPairList("list41", store.list(Ranked.list41, calendar: calendar)),
      OpenPairList("list42", store.list(Ranked.list42, calendar: calendar)),
      OpenPairList("list43", store.list(Ranked.list43, calendar: calendar)),
      OpenPairList("list44", store.list(Ranked.list44, calendar: calendar)),
      OpenPairList("list45", store.list(Ranked.list45, calendar: calendar)),
      OpenPairList("list46", store.list(Ranked.list46, calendar: calendar)),
      OpenPairList("list47", store.list(Ranked.list47, calendar: calendar)),
      OpenPairList("list48", store.list(Ranked.list48, calendar: calendar)),
      OpenPairList("list49", store.list(Ranked.list49, calendar: calendar)),
      OpenPairList("list50", store.list(Ranked.list50, calendar: calendar)),
      OpenPairList("list51", store.list(Ranked.list51, calendar: calendar)),
      OpenPairList("list52", store.list(Ranked.list52, calendar: calendar)),
      OpenPairList("list53", store.list(Ranked.list53, calendar: calendar)),
      OpenPairList("list54", store.list(Ranked.list54, calendar: calendar)),
      OpenPairList("list55", store.list(Ranked.list55, calendar: calendar)),
      OpenPairList("list56", store.list(Ranked.list56, calendar: calendar)),
      OpenPairList("list57", store.list(Ranked.list57, calendar: calendar)),
      OpenPairList("list58", store.list(Ranked.list58, calendar: calendar)),
      OpenPairList("list59", store.list(Ranked.list59, calendar: calendar)),
      OpenPairList("list60", store.list(Ranked.list60, calendar: calendar)),
      OpenPairList("list61", store.list(Ranked.list61, calendar: calendar)),
      OpenPairList("list62", store.list(Ranked.list62, calendar: calendar)),
      OpenPairList("list63", store.list(Ranked.list63, calendar: calendar)),
    ]
  }
}

extension RankedHere {
  static func openAll(_ store: ModelStore, _ calendar: ListCalendar) -> [OpenPairList] {
    [
      OpenPairList("list01", store.list(RankedHere.list01, calendar: calendar)),
      OpenPairList("list02", store.list(RankedHere.list02, calendar: calendar)),
      OpenPairList("list03", store.list(RankedHere.list03, calendar: calendar)),
      OpenPairList("list04", store.list(RankedHere.list04, calendar: calendar)),
      OpenPairList("list05", store.list(RankedHere.list05, calendar: calendar)),
      OpenPairList("list06", store.list(RankedHere.list06, calendar: calendar)),
      OpenPairList("list07", store.list(RankedHere.list07, calendar: calendar)),
      OpenPairList("list08", store.list(RankedHere.list08, calendar: calendar)),
      OpenPairList("list09", store.list(RankedHere.list09, calendar: calendar)),
      OpenPairList("list10", store.list(RankedHere.list10, calendar: calendar)),
      OpenPairList("list11", store.list(RankedHere.list11, calendar: calendar)),
      OpenPairList("list12", store.list(RankedHere.list12, calendar: calendar)),
      OpenPairList("list13", store.list(RankedHere.list13, calendar: calendar)),
      OpenPairList("list14", store.list(RankedHere.list14, calendar: calendar)),
      OpenPairList("list15", store.list(RankedHere.list15, calendar: calendar)),
      OpenPairList("list16", store.list(RankedHere.list16, calendar: calendar)),
      OpenPairList("list17", store.list(RankedHere.list17, calendar: calendar)),
      OpenPairList("list18", store.list(RankedHere.list18, calendar: calendar)),
      OpenPairList("list19", store.list(RankedHere.list19, calendar: calendar)),
      OpenPairList("list20", store.list(RankedHere.list20, calendar: calendar)),
      OpenPairList("list21", store.list(RankedHere.list21, calendar: calendar)),
      OpenPairList("list22", store.list(RankedHere.list22, calendar: calendar)),
      OpenPairList("list23", store.list(RankedHere.list23, calendar: calendar)),
      OpenPairList("list24", store.list(RankedHere.list24, calendar: calendar)),
      OpenPairList("list25", store.list(RankedHere.list25, calendar: calendar)),
      OpenPairList("list26", store.list(RankedHere.list26, calendar: calendar)),
      OpenPairList("list27", store.list(RankedHere.list27, calendar: calendar)),
      OpenPairList("list28", store.list(RankedHere.list28, calendar: calendar)),
      OpenPairList("list29", store.list(RankedHere.list29, calendar: calendar)),
      OpenPairList("list30", store.list(RankedHere.list30, calendar: calendar)),
      OpenPairList("list31", store.list(RankedHere.list31, calendar: calendar)),
      OpenPairList("list32", store.list(RankedHere.list32, calendar: calendar)),
      OpenPairList("list33", store.list(RankedHere.list33, calendar: calendar)),
      OpenPairList("list34", store.list(RankedHere.list34, calendar: calendar)),
      OpenPairList("list35", store.list(RankedHere.list35, calendar: calendar)),
      OpenPairList("list36", store.list(RankedHere.list36, calendar: calendar)),
      OpenPairList("list37", store.list(RankedHere.list37, calendar: calendar)),
      OpenPairList("list38", store.list(RankedHere.list38, calendar: calendar)),
      OpenPairList("list39", store.list(RankedHere.list39, calendar: calendar)),
      OpenPairList("list40", store.list(RankedHere.list40, calendar: calendar)),
      OpenPairList("list41", store.list(RankedHere.list41, calendar: calendar)),
      OpenPairList("list42", store.list(RankedHere.list42, calendar: calendar)),
      OpenPairList("list43", store.list(RankedHere.list43, calendar: calendar)),
      OpenPairList("list44", store.list(RankedHere.list44, calendar: calendar)),
      OpenPairList("list45", store.list(RankedHere.list45, calendar: calendar)),
      OpenPairList("list46", store.list(RankedHere.list46, calendar: calendar)),
      OpenPairList("list47", store.list(RankedHere.list47, calendar: calendar)),
      OpenPairList("list48", store.list(RankedHere.list48, calendar: calendar)),
      OpenPairList("list49", store.list(RankedHere.list49, calendar: calendar)),
      OpenPairList("list50", store.list(RankedHere.list50, calendar: calendar)),
      OpenPairList("list51", store.list(RankedHere.list51, calendar: calendar)),
      OpenPairList("list52", store.list(RankedHere.list52, calendar: calendar)),
      OpenPairList("list53", store.list(RankedHere.list53, calendar: calendar)),
      OpenPairList("list54", store.list(RankedHere.list54, calendar: calendar)),
      OpenPairList("list55", store.list(RankedHere.list55, calendar: calendar)),
      OpenPairList("list56", store.list(RankedHere.list56, calendar: calendar)),
      OpenPairList("list57", store.list(RankedHere.list57, calendar: calendar)),
      OpenPairList("list58", store.list(RankedHere.list58, calendar: calendar)),
      OpenPairList("list59", store.list(RankedHere.list59, calendar: calendar)),
      OpenPairList("list60", store.list(RankedHere.list60, calendar: calendar)),
      OpenPairList("list61", store.list(RankedHere.list61, calendar: calendar)),
      OpenPairList("list62", store.list(RankedHere.list62, calendar: calendar)),
      OpenPairList("list63", store.list(RankedHere.list63, calendar: calendar)),
    ]
  }
}
