# Makes one page of Markdown from several that DocC has written: the first is a type or an article, the others are the
# members of that type. Leaves out DocC's metadata, and points links at the files beside this one.

FNR == 1 {
  isMember = NR > 1
  isMetadata = /^<!--/
  isCode = 0
  if (isMember) write("")
}
isMetadata {
  if (/^-->/) isMetadata = 0
  next
}
/^ *```/ {
  # The declaration of a symbol has no language.
  if (!isCode && $0 == "```") $0 = "```swift"
  isCode = !isCode
  write($0)
  next
}
isCode {
  write($0)
  next
}
isMember && /^## (Overview|Discussion)$/ { next }
isMember && /^## / { $0 = "**" substr($0, 4) "**" }
isMember && /^# / { $0 = "## " substr($0, 3) }
{
  # Of three forms: `](/documentation/ModelRuntime/Model)`, ``doc://…/documentation/…`` and <doc://…/documentation/…>.
  while (match($0, /\]\(\/documentation\/ModelRuntime[^ ()]*(\([^()]*\)[^ ()]*)?\)/)) {
    change("](" file(substr($0, RSTART + 2, RLENGTH - 3)) ")")
  }
  while (match($0, /``doc:[^`]*``/)) change(link(substr($0, RSTART + 2, RLENGTH - 4), "`"))
  while (match($0, /<doc:[^>]*>/)) change(link(substr($0, RSTART + 1, RLENGTH - 2), ""))
  write($0)
}

function change(text) { $0 = substr($0, 1, RSTART - 1) text substr($0, RSTART + RLENGTH) }

# The file of a page: that of its type, or of the article.
function file(path, parts) {
  sub(/^.*\/documentation\/ModelRuntime\/?/, "", path)
  if (path == "") return "README.md"
  split(path, parts, "/")
  return tolower(parts[1]) ".md"
}

function link(path, mark, parts) {
  return "[" mark parts[split(path, parts, "/")] mark "](" file(path) ")"
}

# Never two empty lines, and none at the beginning.
function write(text) {
  if (text != "") print text
  else if (wasText) print ""
  wasText = text != ""
}
