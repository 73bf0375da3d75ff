# Prints the public surface from the Markdown of Scripts/docs: a line for each type, and below it one for each member.

FNR == 1 { depth = "" }
/^## / { depth = "  " }
/^```swift$/ && !isCode && wantsDeclaration {
  isCode = isDeclaration = 1
  text = ""
  next
}
/^ *```/ {
  if (isCode && isDeclaration) {
    gsub(/ +/, " ", text)
    sub(/^ /, "", text)
    print depth text
    wantsDeclaration = 0
  }
  isCode = !isCode
  isDeclaration = 0
  next
}
isCode {
  if (isDeclaration) text = text " " $0
  next
}
/^##? / { wantsDeclaration = 1 }
# An example in the text of an article is no declaration.
/^## Overview$/ { wantsDeclaration = 0 }
