#!/usr/bin/env bash
# Creates the release of the tag GITHUB_REF_NAME with the attestation BUNDLE, then moves the tag of its major version (v1
# for v1.2.3) to it. May be run again: what is done is left as it is. Needs gh with a token that may write contents.
set -euo pipefail

tag=$GITHUB_REF_NAME
repository=$GITHUB_REPOSITORY
major=${tag%%.*}

# A failed look-up stops here: it must not make a second release.
releases=$(gh api --paginate "repos/$repository/releases" --jq '.[] | "\(.tag_name) \(.draft)"')
if grep -Fxq "$tag false" <<< "$releases"; then
  echo "The release $tag is there already"
elif grep -Fxq "$tag true" <<< "$releases"; then
  echo "::error::$tag has a draft release already: delete it, then re-run the failed jobs"
  exit 1
else
  # Tools that look for signed releases count files of this name.
  provenance=$RUNNER_TEMP/notarize-release-$tag.intoto.jsonl
  cp "$BUNDLE" "$provenance"
  notes=$RUNNER_TEMP/release-notes.md
  .github/scripts/release-notes.sh "${tag#v}" > "$notes"
  kind=()
  if [[ $tag == *-* ]]; then kind=(--prerelease); fi
  # With a file, gh publishes the release only after its upload, so that an immutable one has it, too.
  gh release create "$tag" "$provenance" --repo "$repository" --verify-tag --title "$tag" --notes-file "$notes" "${kind[@]}"
fi

if [[ $tag == *-* ]]; then
  echo "$tag is a pre-release: $major stays where it is"
  exit
fi

newest=$(
  gh api --paginate "repos/$repository/git/matching-refs/tags/$major." --jq '.[].ref' |
    sed -n 's|^refs/tags/\(v[0-9]*\.[0-9]*\.[0-9]*\)$|\1|p' |
    sort -V | tail -n 1
)
if [ "$newest" != "$tag" ]; then
  echo "$newest is newer than $tag: $major stays where it is"
  exit
fi

# GITHUB_SHA is the commit, also of an annotated tag.
if gh api "repos/$repository/git/ref/tags/$major" > /dev/null 2>&1; then
  gh api --method PATCH "repos/$repository/git/refs/tags/$major" --raw-field "sha=$GITHUB_SHA" --field force=true > /dev/null
else
  gh api --method POST "repos/$repository/git/refs" --raw-field "ref=refs/tags/$major" --raw-field "sha=$GITHUB_SHA" > /dev/null
fi || {
  # The token of a job may not move a tag to workflows that no branch has any more.
  echo "::error::$tag is released, but $major could not be moved; run: git push --force origin '$tag^{commit}:refs/tags/$major'"
  exit 1
}
echo "$major is at $tag"
