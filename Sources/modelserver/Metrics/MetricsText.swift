// Writes the text format of Prometheus. Labels are words of this program, so that nothing has to be escaped.

struct MetricsText {
  private(set) var text = ""

  mutating func family(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  mutating func sample(_ name: String, _ labels: [(String, String)], _ value: some CustomStringConvertible) {
    let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
    text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
  }

  mutating func counter(_ name: String, _ help: String, _ value: Int) {
    family(name, "counter", help)
    sample(name, [], value)
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    family(name, "gauge", help)
    sample(name, [], value)
  }

  mutating func histogram(_ name: String, _ labels: [(String, String)], _ histogram: Metrics.Histogram) {
    for (bound, count) in zip(Metrics.Histogram.bounds, histogram.counts) {
      sample(name + "_bucket", labels + [("le", "\(bound)")], count)
    }
    sample(name + "_bucket", labels + [("le", "+Inf")], histogram.count)
    sample(name + "_sum", labels, histogram.sum)
    sample(name + "_count", labels, histogram.count)
  }
}
