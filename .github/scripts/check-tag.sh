#!/usr/bin/env bash
# Checks the tag that is to be released against the rest of the repository; the checkout must have its whole history.
set -euo pipefail

stop() {
  echo "::error::$1"
  exit 1
}

tag=$GITHUB_REF_NAME
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || stop "the tag $tag is no version such as v1.2.3"
version=${tag#v}

git merge-base --is-ancestor "$GITHUB_SHA" origin/main || stop "the commit of $tag is not on main"

declared=$(jq -r .version package.json)
[ "$declared" = "$version" ] || stop "package.json has the version $declared, and the tag is $tag"

.github/scripts/release-notes.sh "$version" > /dev/null || stop "CHANGELOG.md has nothing below '## $version'"
