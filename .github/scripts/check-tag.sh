#!/usr/bin/env bash
# Checks whether the tag GITHUB_REF_NAME may be released; the checkout must have its whole history.
set -euo pipefail

stop() {
  echo "::error::$1"
  exit 1
}

tag=$GITHUB_REF_NAME
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || stop "the tag $tag is not a version such as v1.2.3"
version=${tag#v}

git merge-base --is-ancestor "$GITHUB_SHA" origin/main || stop "the commit of $tag is not on main"

declared=$(jq -r .version package.json)
[ "$declared" = "$version" ] || stop "package.json has the version $declared, but the tag is $tag"

.github/scripts/release-notes.sh "$version" > /dev/null || stop "CHANGELOG.md has nothing below '## $version'"
! .github/scripts/release-notes.sh Unreleased > /dev/null || stop "CHANGELOG.md has changes below '## Unreleased': move them to '## $version'"

unnamed=$(git grep -l 'OWNER/REPO' -- package.json '*.md' 'docs/*' 'examples/*') || true
[ -z "$unnamed" ] || stop "the name of this repository is missing in ${unnamed//$'\n'/, }: see \"How to release\" in CONTRIBUTING.md"

name=$(jq -r '.repository | ltrimstr("github:")' package.json)
others=$(git grep -hoE "uses: $name(/[^ ]+)?@v[0-9]+( |$)" -- README.md docs examples | grep -v "@${tag%%.*} *$") || true
[ -z "$others" ] || stop "README, docs or examples use another major version than ${tag%%.*}: ${others//$'\n'/, }"
