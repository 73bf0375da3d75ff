# Plants a bug: replaces texts of sources by others. Used by Scripts/mutants.
#
#   awk -f Scripts/plant.awk [-v check=yes] Tests/Mutants/NAME.bug
#
# Behind the head of the file, which ends with the first empty line, come the path of a source and what is to be replaced in
# it by what, in whole lines between <<<<, ==== and >>>>. A text has to be there once. With `check` nothing is written.

function fail(why) {
  printf "%s: %s\n", FILENAME, why > "/dev/stderr"
  failed = 1
  exit 1
}

function read_source(path,   text, line, status) {
  text = ""
  while ((status = (getline line < path)) > 0) text = text line "\n"
  close(path)
  if (status < 0) fail("there is no " path)
  return text
}

function replace_text(   at, behind) {
  if (find == "") fail("nothing is to be replaced in " path)
  at = index(source[path], find)
  if (at == 0) fail(path " has not the text:\n" find)
  behind = substr(source[path], at + length(find))
  if (index(behind, find) > 0) fail(path " has the text more than once:\n" find)
  source[path] = substr(source[path], 1, at - 1) text behind
}

BEGIN { part = "head" }
part == "head" { if ($0 == "") part = "path"; next }
part == "path" && $0 == "<<<<" && path != "" { find = ""; part = "find"; next }
part == "path" && $0 == "" { next }
part == "path" { path = $0; if (!(path in source)) source[path] = read_source(path); next }
part == "find" && $0 == "====" { text = ""; part = "text"; next }
part == "find" { find = find $0 "\n"; next }
part == "text" && $0 == ">>>>" { replace_text(); pairs++; part = "path"; next }
part == "text" { text = text $0 "\n"; next }

END {
  if (failed) exit 1
  if (part != "path" || pairs == 0) fail("it ends before its replacement does")
  if (check == "") for (path in source) { printf "%s", source[path] > path; close(path) }
}
