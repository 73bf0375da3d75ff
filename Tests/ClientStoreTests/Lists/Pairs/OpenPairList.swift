// Opens the lists of both models. Each list has types of its own, so each one is written out.

import ModelRuntime
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
      OpenPairList("list01", store.open(Ranked.list01, calendar: calendar)),
      OpenPairList("list02", store.open(Ranked.list02, calendar: calendar)),
      OpenPairList("list03", store.open(Ranked.list03, calendar: calendar)),
      OpenPairList("list04", store.open(Ranked.list04, calendar: calendar)),
      OpenPairList("list05", store.open(Ranked.list05, calendar: calendar)),
      OpenPairList("list06", store.open(Ranked.list06, calendar: calendar)),
      OpenPairList("list07", store.open(Ranked.list07, calendar: calendar)),
      OpenPairList("list08", store.open(Ranked.list08, calendar: calendar)),
      OpenPairList("list09", store.open(Ranked.list09, calendar: calendar)),
      OpenPairList("list10", store.open(Ranked.list10, calendar: calendar)),
      OpenPairList("list11", store.open(Ranked.list11, calendar: calendar)),
      OpenPairList("list12", store.open(Ranked.list12, calendar: calendar)),
      OpenPairList("list13", store.open(Ranked.list13, calendar: calendar)),
      OpenPairList("list14", store.open(Ranked.list14, calendar: calendar)),
      OpenPairList("list15", store.open(Ranked.list15, calendar: calendar)),
      OpenPairList("list16", store.open(Ranked.list16, calendar: calendar)),
      OpenPairList("list17", store.open(Ranked.list17, calendar: calendar)),
      OpenPairList("list18", store.open(Ranked.list18, calendar: calendar)),
      OpenPairList("list19", store.open(Ranked.list19, calendar: calendar)),
      OpenPairList("list20", store.open(Ranked.list20, calendar: calendar)),
      OpenPairList("list21", store.open(Ranked.list21, calendar: calendar)),
      OpenPairList("list22", store.open(Ranked.list22, calendar: calendar)),
      OpenPairList("list23", store.open(Ranked.list23, calendar: calendar)),
      OpenPairList("list24", store.open(Ranked.list24, calendar: calendar)),
      OpenPairList("list25", store.open(Ranked.list25, calendar: calendar)),
      OpenPairList("list26", store.open(Ranked.list26, calendar: calendar)),
      OpenPairList("list27", store.open(Ranked.list27, calendar: calendar)),
      OpenPairList("list28", store.open(Ranked.list28, calendar: calendar)),
      OpenPairList("list29", store.open(Ranked.list29, calendar: calendar)),
      OpenPairList("list30", store.open(Ranked.list30, calendar: calendar)),
      OpenPairList("list31", store.open(Ranked.list31, calendar: calendar)),
      OpenPairList("list32", store.open(Ranked.list32, calendar: calendar)),
      OpenPairList("list33", store.open(Ranked.list33, calendar: calendar)),
      OpenPairList("list34", store.open(Ranked.list34, calendar: calendar)),
      OpenPairList("list35", store.open(Ranked.list35, calendar: calendar)),
      OpenPairList("list36", store.open(Ranked.list36, calendar: calendar)),
      OpenPairList("list37", store.open(Ranked.list37, calendar: calendar)),
      OpenPairList("list38", store.open(Ranked.list38, calendar: calendar)),
      OpenPairList("list39", store.open(Ranked.list39, calendar: calendar)),
      OpenPairList("list40", store.open(Ranked.list40, calendar: calendar)),
      OpenPairList("list41", store.open(Ranked.list41, calendar: calendar)),
      OpenPairList("list42", store.open(Ranked.list42, calendar: calendar)),
      OpenPairList("list43", store.open(Ranked.list43, calendar: calendar)),
      OpenPairList("list44", store.open(Ranked.list44, calendar: calendar)),
      OpenPairList("list45", store.open(Ranked.list45, calendar: calendar)),
      OpenPairList("list46", store.open(Ranked.list46, calendar: calendar)),
      OpenPairList("list47", store.open(Ranked.list47, calendar: calendar)),
    ]
  }
}

extension RankedHere {
  static func openAll(_ store: ModelStore, _ calendar: ListCalendar) -> [OpenPairList] {
    [
      OpenPairList("list01", store.open(RankedHere.list01, calendar: calendar)),
      OpenPairList("list02", store.open(RankedHere.list02, calendar: calendar)),
      OpenPairList("list03", store.open(RankedHere.list03, calendar: calendar)),
      OpenPairList("list04", store.open(RankedHere.list04, calendar: calendar)),
      OpenPairList("list05", store.open(RankedHere.list05, calendar: calendar)),
      OpenPairList("list06", store.open(RankedHere.list06, calendar: calendar)),
      OpenPairList("list07", store.open(RankedHere.list07, calendar: calendar)),
      OpenPairList("list08", store.open(RankedHere.list08, calendar: calendar)),
      OpenPairList("list09", store.open(RankedHere.list09, calendar: calendar)),
      OpenPairList("list10", store.open(RankedHere.list10, calendar: calendar)),
      OpenPairList("list11", store.open(RankedHere.list11, calendar: calendar)),
      OpenPairList("list12", store.open(RankedHere.list12, calendar: calendar)),
      OpenPairList("list13", store.open(RankedHere.list13, calendar: calendar)),
      OpenPairList("list14", store.open(RankedHere.list14, calendar: calendar)),
      OpenPairList("list15", store.open(RankedHere.list15, calendar: calendar)),
      OpenPairList("list16", store.open(RankedHere.list16, calendar: calendar)),
      OpenPairList("list17", store.open(RankedHere.list17, calendar: calendar)),
      OpenPairList("list18", store.open(RankedHere.list18, calendar: calendar)),
      OpenPairList("list19", store.open(RankedHere.list19, calendar: calendar)),
      OpenPairList("list20", store.open(RankedHere.list20, calendar: calendar)),
      OpenPairList("list21", store.open(RankedHere.list21, calendar: calendar)),
      OpenPairList("list22", store.open(RankedHere.list22, calendar: calendar)),
      OpenPairList("list23", store.open(RankedHere.list23, calendar: calendar)),
      OpenPairList("list24", store.open(RankedHere.list24, calendar: calendar)),
      OpenPairList("list25", store.open(RankedHere.list25, calendar: calendar)),
      OpenPairList("list26", store.open(RankedHere.list26, calendar: calendar)),
      OpenPairList("list27", store.open(RankedHere.list27, calendar: calendar)),
      OpenPairList("list28", store.open(RankedHere.list28, calendar: calendar)),
      OpenPairList("list29", store.open(RankedHere.list29, calendar: calendar)),
      OpenPairList("list30", store.open(RankedHere.list30, calendar: calendar)),
      OpenPairList("list31", store.open(RankedHere.list31, calendar: calendar)),
      OpenPairList("list32", store.open(RankedHere.list32, calendar: calendar)),
      OpenPairList("list33", store.open(RankedHere.list33, calendar: calendar)),
      OpenPairList("list34", store.open(RankedHere.list34, calendar: calendar)),
      OpenPairList("list35", store.open(RankedHere.list35, calendar: calendar)),
      OpenPairList("list36", store.open(RankedHere.list36, calendar: calendar)),
      OpenPairList("list37", store.open(RankedHere.list37, calendar: calendar)),
      OpenPairList("list38", store.open(RankedHere.list38, calendar: calendar)),
      OpenPairList("list39", store.open(RankedHere.list39, calendar: calendar)),
      OpenPairList("list40", store.open(RankedHere.list40, calendar: calendar)),
      OpenPairList("list41", store.open(RankedHere.list41, calendar: calendar)),
      OpenPairList("list42", store.open(RankedHere.list42, calendar: calendar)),
      OpenPairList("list43", store.open(RankedHere.list43, calendar: calendar)),
      OpenPairList("list44", store.open(RankedHere.list44, calendar: calendar)),
      OpenPairList("list45", store.open(RankedHere.list45, calendar: calendar)),
      OpenPairList("list46", store.open(RankedHere.list46, calendar: calendar)),
      OpenPairList("list47", store.open(RankedHere.list47, calendar: calendar)),
    ]
  }
}
