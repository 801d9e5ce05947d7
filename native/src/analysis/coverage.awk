# SPDX-License-Identifier: Apache-2.0
#
# gcov's text -> a table by file. A line counts as run if any of the builds that have it ran it.

$2 + 0 == 0 && $3 == "Source" {
  path = $4
  of_library = match(path, /src\/main\/c\/(kernel|clock|jvm)\//)
  file = substr(path, RSTART + length("src/main/c/"))
  next
}
!of_library || $2 + 0 == 0 { next }
{
  count = $1
  gsub(/ /, "", count)
  if (count == "-") next
  line = file SUBSEP ($2 + 0)
  known[line] = 1
  if (count !~ /^[#=]/) run[line] = 1
}

function missed(file,    at, found) {
  for (at = 1; at <= last[file]; at++)
    if ((file, at) in known && !((file, at) in run)) found = found " " at
  return found == "" ? "" : "  not:" found
}

function percent(of, all) { return sprintf("%.1f", all ? 100 * of / all : 0) }

END {
  for (line in known) {
    split(line, at, SUBSEP)
    lines[at[1]]++
    if (line in run) done[at[1]]++
    if (at[2] + 0 > last[at[1]]) last[at[1]] = at[2] + 0
  }
  sort = "sort"
  for (file in lines) {
    printf "%6s %%  %4d of %4d  %s%s\n", percent(done[file], lines[file]), done[file], lines[file], file, \
      missed(file) | (sort " -k6")
    if (file ~ /^jvm/) { jvm += lines[file]; jvm_done += done[file] }
    else { core += lines[file]; core_done += done[file] }
  }
  close(sort " -k6")
  printf "coverage of the parts of jvm/ that C tests reach: %s %% of %d lines\n", percent(jvm_done, jvm), jvm
  printf "coverage of the C core: %s %% of %d lines\n", percent(core_done, core), core
}
