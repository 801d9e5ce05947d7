#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the files of this checkout, whoever writes them.
source "$(dirname -- "${BASH_SOURCE[0]}")/tap.sh"
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

# The names are in pieces, so that this file does not contain what it forbids.
readonly REGISTRY_HOSTS='repo1?[.]maven[.]|central[.]sonatype|(deb|ftp|security|snapshot)[.]debian[.]|(archive|security|ports)[.]ubuntu[.]|pypi[.](org|python)|files[.]pythonhosted|registry[.]npmjs|registry[.]yarnpkg|proxy[.]golang|crates[.]io'

# Does not use `git ls-files`, so that a copy of the sources without git is checked as well. Commands write the last four folders.
files() { # arguments of find…
  find . \( -name .git -o -name .build -o -name build -o -name target -o -name .idea -o -name .vscode -o -name .settings -o -path ./report -o -path ./dist -o -path ./release \
    -o -path ./bindings/python/dist \) -prune -o -type f "$@" -print | LC_ALL=C sort
}

# Reads lines of a file, a tab and what it refers to from the checkout's folder on: path#anchor. Prints those that lead nowhere. The
# anchors of a document are its headings, as web views of git name them, and its own.
broken() {
  # shellcheck disable=SC2016
  perl -ne 'use strict; our %anchors; chomp; my ($file, $path, $anchor) = /^([^\t]*)\t([^#]*)#?(.*)$/;
    $path =~ s{/[^/]+/\.\.(?=/)}{} while $path =~ m{/[^/.][^/]*/\.\./};
    if ($anchor ne "" && $path =~ /\.md$/ && !$anchors{$path} && open my $in, "<", $path) {
      for (<$in>) { my $slug = /^#{1,6} (.*)$/ ? lc $1 : ""; $slug =~ s/[^a-z0-9 _-]//g; $anchors{$path}{$slug =~ s/ /-/gr} = 1;
        $anchors{$path}{$1} = 1 while /<a (?:id|name)="([^"]+)"/g }
    }
    print "$file: $path#$anchor\n" unless -e $path && ($anchor eq "" || $path !~ /\.md$/ || $anchors{$path}{$anchor})'
}

broken_links() { # of Markdown files: [text](path#anchor); the workflows' are where the project is published
  files -name '*.md' | tr '\n' '\0' | xargs -0 perl -ne 'my $folder = $ARGV =~ s{[^/]*$}{}r; $code = !$code if /^```/; $code = 0 if eof;
    unless ($code) { for (/\]\(([^) ]+)\)/g) { next if m{^mailto:|://}; s{^\.\./\.\./actions/(workflows/[^/]*)/badge\.svg$|^\.\./\.\./actions/(workflows/.*)}{.github/@{[$1 // $2]}};
      print "$ARGV\t", (/^#/ ? "$ARGV$_" : "$folder$_"), "\n" } }' | broken
}

broken_mentions() { # of documents, in sources and messages: docs/name.md#anchor
  files ! -name '*.md' ! -name repository.t | tr '\n' '\0' | xargs -0 grep -oHE 'docs/(internals/)?[a-z-]+\.md(#[a-z0-9_-]+)?' | sed 's/:/\t/' | broken
}

missing_tests() { # that SECURITY.md and CONTRIBUTING.md name: `SomethingTest`, `SomethingIT`, `real/something_test`, `something.t`
  local name
  while IFS= read -r name; do
    [[ -n $(files \( -path "*/$name" -o -path "*/$name.java" -o -path "*/$name.c" \)) ]] || printf '%s\n' "$name"
  done < <(grep -ohE '`([A-Za-z]+(Test|IT)|[a-z]+/[a-z_]+_test|[a-z_]+[.]t)`' SECURITY.md CONTRIBUTING.md | tr -d '`' | sort -u)
}

missing_files() { # that pages name; CONTRIBUTING.md also without the folders above: `name.c`, `folder/…/name_*.h`, `folder/`
  local all name tops
  all=$(files)
  tops=$(grep -oE '^[.]/[^/]+/' <<<"$all" | sort -u | sed 's,^[.]/,,; s/[.]/[.]/g' | tr '\n' '|')
  while IFS= read -r name; do
    grep -qE "/$(sed 's/[.]/[.]/g; s/[*]/.*/g; s/…/.*/g; s,/$,,' <<<"$name")(/|\$)" <<<"$all" || printf '%s\n' "$name"
  done < <({
    grep -oE '`[^`.~ ][^` ]*[a-z]([.](awk|c|h|hpp|java|map|md|mk|py|rs|sh|svg|t|txt|xml|yaml)|/)`' CONTRIBUTING.md | tr -d '`'
    files -name '*.md' | tr '\n' '\0' | xargs -0 grep -ohP "(?<![\w/.…-])(${tops%|})[\w./*…-]*[\w/]" | grep -vE '(^|/)(target|build|dist)(/|$)'
  } | sort -u)
}

sources_without_licence() {
  files \( -name '*.c' -o -name '*.h' -o -name '*.map' -o -name '*.java' -o -name '*.sh' -o -name '*.t' -o -name '*.mk' -o -name '*.rs' \
    -o -name Makefile -o -name pom.xml -o -name threadclock -o -name mvnw \) | tr '\n' '\0' | xargs -0 grep -L 'SPDX-License-Identifier: Apache-2\.0'
}

# pom.xml has the version. Packages that cannot read it there have the same one, and documents for users an ending, too.
versions_elsewhere() {
  local number
  number=$(sed -n 's|^ *<revision>\(.*\)</revision>$|\1|p' pom.xml)
  [[ -n $number ]] || printf 'pom.xml has no <revision>\n'
  files ! -path ./pom.xml ! -name CHANGELOG.md ! -name '*.lock' | tr '\n' '\0' |
    xargs -0 grep -InHE "(^|[^0-9.])${number//./[.]}(\$|[^0-9.]|[.][^0-9])" |
    grep -vE '^\./[^:]*(Cargo\.toml|/__init__\.py):|\.md:[0-9]+:.*<version>'"${number//./[.]}"'(-[^<]*)?</version>|\.md:[0-9]+:implementation '"'io[.]threadclock:[a-z-]*:${number//./[.]}(-[A-Za-z]*)?'"'|:- threadclock [0-9.]*, Linux '
  files \( -name Cargo.toml -o -name __init__.py \) | tr '\n' '\0' | xargs -0r grep -HnE '^(__)?version(__)? = "|^threadclock.* version = "' | grep -vF "\"$number\""
  files -name '*.md' | tr '\n' '\0' | xargs -0 grep -hA1 -e '<artifactId>threadclock' -e "^implementation 'io.threadclock" |
    grep -oE "<version>[^<]*|io.threadclock:[a-z-]*:[^']*" | grep -vE "^(<version>|io.threadclock:[a-z-]*:)${number//./[.]}(-.*)?\$"
  true
}

published_sources() {
  (eval "$(grep '^readonly RELEASE_MODULES=(' launcher/release.sh)" && printf '%s\n' "${RELEASE_MODULES[@]}") |
    xargs -I{} find {}/src/main/java -name '*.java' 2>/dev/null
}

# Users see by it which release they need.
types_without_since() {
  published_sources | xargs grep -lE '^public ([a-z]+ )*@?(class|interface|enum|record) ' |
    xargs grep -L '^ \* @since '
}

# Compilers check callers by it. For Java 8 they warn of the annotation, unless it is in the sources for Java 9.
packages_without_nullness() {
  local module
  for module in $(published_sources | sed 's,/src/.*,,' | sort -u); do
    if ! grep -q '<maven.compiler.release>8<' "$module/pom.xml"; then
      find "$module/src/main/java" -name package-info.java -print0 | xargs -0 grep -Lx '@NullMarked'
    elif grep -q ' org.jspecify;' "$module/src/main/java9/module-info.java"; then
      grep -qrx '@NullMarked' "$module/src/main/java9" || printf '%s\n' "$module"
    fi
  done
}

# A tag can be moved to other code; a commit cannot. The comment tells people the version.
unpinned_actions() {
  grep -nHE '^[ -]*uses:' .github/workflows/*.yml | grep -vE 'uses: [A-Za-z0-9_./-]+@[0-9a-f]{40} # v[0-9]+[.][0-9]+[.][0-9]+$' || true
}

# A pull request is tested as such, and what has come to main, each commit for itself.
pushes_and_cancels() {
  local file
  for file in .github/workflows/*.yml; do
    ! grep -qx '  push:' "$file" || grep -qxE "    (branches: \[main\]|tags: \['v\*'\])" "$file" || printf '%s: push of any branch\n' "$file"
    ! grep -q 'cancel-in-progress: true' "$file" ||
      grep -qF "group: \${{ github.workflow }}-\${{ github.ref == 'refs/heads/main' && github.run_id || github.ref }}" "$file" ||
      printf '%s: cancels on main\n' "$file"
  done
}

# Cargo names its default registry in each Cargo.lock, whatever mirror it uses.
none "$(files ! -name Cargo.lock | tr '\n' '\0' | xargs -0 grep -InHE -- "$REGISTRY_HOSTS" || true)" 'no file names a host of a package registry'
none "$(broken_links)" 'every link between the documents leads somewhere'
none "$(broken_mentions)" 'every document that a source or a message mentions is there, with that heading'
none "$(missing_tests)" 'every test that SECURITY.md and CONTRIBUTING.md name is there'
none "$(missing_files)" 'every file and folder that a page names is there'
none "$(sources_without_licence)" 'every source file names its licence'
none "$(files ! -perm -u=x \( -path ./threadclock -o -path ./mvnw -o -path './.ci/*' -o -name '*.t' \))" 'what is to be run can be run'
none "$(versions_elsewhere)" 'the version is in pom.xml, and nowhere else is another one'
none "$(types_without_since)" 'every public type of what is published tells since when it is there'
none "$(packages_without_nullness)" 'every published package tells what may be null'
none "$(unpinned_actions)" 'every action of the workflows is pinned by its commit, and names its version'
none "$(pushes_and_cancels)" 'workflows run for pushes to main and tags alone, and cancel none on main'
like "$(cat .github/workflows/*.yml)" 'uses: ' 'there are workflows whose actions are looked at'

done_testing
