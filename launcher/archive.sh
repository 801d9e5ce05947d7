# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Debian's archive, of any suite, as everybody may read it: with apt's own machinery and signatures, in a folder
# instead of the system's, without root. For the programs that fetch.

readonly ARCHIVE_KEYRING=/usr/share/keyrings/debian-archive-keyring # .gpg, or .pgp in newer releases

archive_folder=  # apt's own folders, and the packages
archive_refusal= # what was tried and what answered, once archive_open has failed

# What this machine's apt knows of networks, mirrors and proxies holds here, too, and whether lists may have expired, as those
# of a mirror that stands still; its packages and hooks do not.
archive_configure_apt() { # folder
  archive_folder=$1
  mkdir -p "$archive_folder/none" "$archive_folder/state/lists/partial" "$archive_folder/cache/archives/partial"
  : >"$archive_folder/status"
  {
    apt-config dump | grep '^Acquire::' | grep -vE '^Acquire::(IndexTargets|Languages)'
    printf 'Dir::Etc::%s "/dev/null";\n' main preferences
    printf 'Dir::Etc::%s "'"$archive_folder/none"'";\n' parts sourceparts preferencesparts
    printf '%s;\n' "Dir::Etc::sourcelist \"$archive_folder/sources.list\"" "Dir::State \"$archive_folder/state\"" \
      "Dir::State::status \"$archive_folder/status\"" "Dir::Cache \"$archive_folder/cache\"" 'APT::Sandbox::User "root"' \
      'APT::Update::Error-Mode "any"' 'Acquire::Languages "none"' 'Acquire::Retries "2"'
    printf 'Acquire::Allow%sRepositories "false";\n' Insecure Weak DowngradeToInsecure
  } >"$archive_folder/apt.conf"
}

# Those that apt's lists know as Debian's. Where apt has no lists, as in a container image, it does not know whose its
# sources are: then all that are not about security.
archive_mirrors() {
  local known
  if [[ -n ${THREADCLOCK_MIRROR:-} ]]; then
    printf '%s\n' "$THREADCLOCK_MIRROR"
    return
  fi
  # shellcheck disable=SC2016
  known=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian|Debian|//p')
  # shellcheck disable=SC2016
  [[ -n $known ]] ||
    known=$(apt-get indextargets --no-release-info --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security)
  awk '/^https?:/ && !seen[$0]++' <<<"$known"
}

archive_keyring() {
  local file
  for file in "$ARCHIVE_KEYRING".{gpg,pgp}; do
    [[ ! -r $file ]] || break
  done
  [[ -r $file ]] && printf '%s\n' "$file"
}

# Of the first mirror that gives the lists of all these suites. Others whom this machine's apt trusts do not sign for Debian.
archive_update() { # keyring, suites, mirrors…
  local keyring=$1 suites=$2 mirror suite
  shift 2
  for mirror in "$@"; do
    printf 'reading what %s has\n' "$mirror"
    for suite in $suites; do
      printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite"
    done >"$archive_folder/sources.list"
    ! archive_apt_get update || return 0
  done
  return 1
}

archive_open() { # folder, suites, architecture if it is not this machine's
  local mirrors keyring
  archive_refusal="$ARCHIVE_KEYRING.gpg cannot be read, which tells Debian's packages from others; the package debian-archive-keyring has it"
  keyring=$(archive_keyring) || return 1
  mapfile -t mirrors < <(archive_mirrors)
  archive_refusal='the sources of apt name no archive of Debian'
  ((${#mirrors[@]})) || return 1
  archive_configure_apt "$1"
  [[ -z ${3:-} ]] || printf 'APT::Architecture%s "%s";\n' '' "$3" s "$3" >>"$archive_folder/apt.conf"
  archive_refusal="none of ${mirrors[*]} gave a list of Debian ${2// /, }'s packages${3:+ for $3}"
  archive_update "$keyring" "$2" "${mirrors[@]}"
}

archive_apt_cache() { # arguments…
  APT_CONFIG=$archive_folder/apt.conf apt-cache "$@"
}

archive_apt_get() { # arguments…
  APT_CONFIG=$archive_folder/apt.conf apt-get -q -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@"
}
