#!/usr/bin/env bash
# Prints what CHANGELOG.md says below "## VERSION" (a date may follow); fails if that is nothing.
# Usage: release-notes.sh VERSION
set -euo pipefail

awk -v version="$1" '
  /^## / { is_wanted = $2 == version || $2 == "[" version "]"; next }
  is_wanted { print }
  is_wanted && NF { has_text = 1 }
  END { exit !has_text }
' CHANGELOG.md
