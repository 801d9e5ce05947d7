# SPDX-License-Identifier: Apache-2.0
#
# Makes the man page threadclock(3) of threadclock.h: awk -v version=… -f man.awk threadclock.h
# With -v list=yes it prints the names of the functions instead.
#
# A comment /** … */ belongs to the declaration after it, and that of @file is the description.

function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  sub(/^[.']/, "\\\\\\&&", text)
  return text
}

# Text between two blank lines, or two list items, is filled by man(1).
function filled(lines, count,    i, line, text) {
  for (i = 1; i <= count; i++) {
    line = lines[i]
    if (line == "") {
      text = text ".PP\n"
    } else if (line ~ /^ *- /) {
      sub(/^ *- /, "", line)
      text = text ".IP \\(bu 2\n" escaped(line) "\n"
    } else if (line ~ /^@param /) {
      split(line, word, " ")
      sub(/^@param +[^ ]+ +/, "", line)
      text = text ".TP\n.I " escaped(word[2]) "\n" escaped(line) "\n"
    } else if (line ~ /@return /) {
      # It may stand at the end of a line.
      if (line !~ /^@return/) text = text escaped(substr(line, 1, index(line, "@return") - 2)) "\n"
      text = text ".TP\nReturns\n" escaped(substr(line, index(line, "@return") + 8)) "\n"
    } else if (line ~ /^Source: /) {
      text = text ".TP\nSource\n" escaped(substr(line, 9)) "\n"
    } else {
      sub(/^ +/, "", line)
      text = text escaped(line) "\n"
    }
  }
  return text
}

function verbatim(text) {
  return ".PP\n.nf\n" text ".fi\n"
}

function take_comment(line) {
  sub(/^ *\/?\*+\/? ?/, "", line)
  sub(/ *\*\/$/, "", line)
  sub(/^ /, "", line)
  if (line ~ /^@file/) { is_file = 1; return }
  comment[++comments] = line
}

function end_comment() {
  while (comments > 0 && comment[comments] == "") comments--
  in_comment = 0
  if (is_file) {
    description = filled(comment, comments)
    forget()
  }
}

function forget() {
  is_file = comments = 0
  declaration = ""
}

function add_type() {
  types = types filled(comment, comments) verbatim(declaration) ".PP\n"
  forget()
}

function add_function(    name, prototype) {
  prototype = declaration
  sub(/^static inline /, "", prototype)
  gsub(/\n +/, " ", prototype)
  sub(/[ \n]*[{;].*$/, ";", prototype)
  sub(/\n$/, "", prototype)
  name = prototype
  sub(/\(.*/, "", name)
  sub(/.*[ *]/, "", name)
  names[++functions] = name
  synopsis = synopsis ".BI \"" escaped(prototype) "\"\n"
  chapters = chapters ".SS " name "()\n" filled(comment, comments)
  forget()
}

/^\/\*\*/ { forget(); in_comment = 1 }
in_comment { take_comment($0); if (/\*\/$/) end_comment(); next }
in_body { in_body = !/^}/; next }

/^#define / && comments { declaration = escaped($0) "\n"; add_type(); next }
/^(enum|struct) [a-z_]+ \{/ { in_type = 1 }
in_type { declaration = declaration escaped($0) "\n"; if (/^};/) { in_type = 0; add_type() }; next }

comments && (declaration != "" || /^[a-z]/) {
  declaration = declaration $0 "\n"
  if (/^{/ || /;$/) {
    in_body = /^{/
    add_function()
  }
}

END {
  if (list) {
    for (i = 1; i <= functions; i++) print names[i]
    exit
  }
  printf ".\\\" Made of threadclock.h by man.awk.\n"
  printf ".TH threadclock 3 \"\" \"threadclock %s\" \"Library Functions Manual\"\n", version
  printf ".SH NAME\n"
  for (i = 1; i <= functions; i++) printf "%s, ", names[i]
  printf "threadclock \\- CPU time, user time and system time of threads\n"
  printf ".SH SYNOPSIS\n.nf\n.B #include <threadclock.h>\n.PP\n%s.fi\n.PP\n", synopsis
  printf "Link with\n.IR \\-lthreadclock ,\nor as \\fBpkg\\-config threadclock\\fR or CMake's \\fBthreadclock::threadclock\\fR say.\n"
  printf ".SH DESCRIPTION\n%s.SH FUNCTIONS\n%s.SH TYPES\n%s", description, chapters, types
  printf ".SH SEE ALSO\n.BR clock_gettime (2),\n.BR getrusage (2),\n.BR pthread_getcpuclockid (3)\n"
}
