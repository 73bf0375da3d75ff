# Prints the public surface from the Markdown of Scripts/docs: a line for each type, and below it one for each member.

# The declaration of a type stands above the first section. A page without one is an article.
FNR == 1 { depth = ""; isArticle = hasDeclaration = 0 }
/^## / { depth = "  "; if (!hasDeclaration) isArticle = 1 }
isArticle { next }
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
    hasDeclaration = 1
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
