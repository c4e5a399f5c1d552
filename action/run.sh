#!/usr/bin/env bash
# Fuzzes what a pull request changes, for action.yml: annotations on standard
# output, SARIF in a file, a summary of the job and a comment. All input comes from
# the environment and is quoted: names of branches and files are the author's.
# The exit code is that of leveret fuzz.
set -euo pipefail

work=$RUNNER_TEMP/leveret
mkdir -p "$work/corpus"
rm -f "$work"/{summary.txt,summary.md,leveret.sarif,annotations}
leveret=${LEVERET_COMMAND:-$work/bin/leveret}

# Lines of other programs on standard output and error are no commands to the runner.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
trap 'echo "::$token::"' EXIT

if [ -z "${LEVERET_COMMAND:-}" ]; then
	(cd "$GITHUB_ACTION_PATH" && CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o "$leveret" ./cmd/leveret)
fi
while read -r version; do
	[ -z "$version" ] || "$leveret" solc install -- "$version"
done <<<"${LEVERET_SOLC:-}"

arguments=(
	--total-time "${LEVERET_TOTAL_TIME:-10m}" --fail-on "${LEVERET_FAIL_ON:-warning}" --corpus "$work/corpus"
	--output "$work/summary.txt" --format "github=$work/annotations" --format "sarif=$work/leveret.sarif"
)
since=${LEVERET_SINCE:-${LEVERET_BASE:-}}
if [ -n "$since" ] && [ "$since" != none ]; then
	# A checkout of depth 1 lacks the base.
	if ! git rev-parse --quiet --verify --end-of-options "$since^{commit}" >/dev/null; then
		git fetch --quiet --no-tags --depth=1 origin "+$since:refs/leveret/base" || {
			echo "leveret: cannot fetch $since, which the changes are compared with; check out with fetch-depth: 0" >&2
			exit 2
		}
		since=refs/leveret/base
	fi
	arguments+=("--since=$since")
fi
[ -z "${LEVERET_BASELINE:-}" ] || arguments+=("--baseline=$LEVERET_BASELINE")
if [ "${LEVERET_UNTRUSTED:-}" = true ] || [ "${GITHUB_EVENT_NAME:-}" = pull_request_target ]; then
	arguments+=(--untrusted)
fi
paths=()
while read -r path; do
	[ -z "$path" ] || paths+=("$path")
done <<<"${LEVERET_PATHS:-.}"

set +e
"$leveret" fuzz "${arguments[@]}" -- "${paths[@]}" 2>&1 | tee "$work/progress"
code=${PIPESTATUS[0]}
set -e

# summary writes Markdown. The fence is longer than any in the report, whose lines are
# source code; GitHub accepts comments of 65,536 characters.
summary() {
	local report=$work/summary.txt fence='```'
	[ -s "$report" ] || report=$work/progress
	while grep -qF "$fence" "$report"; do fence+='`'; done
	echo '<!-- leveret -->'
	case $code in
	0) echo '### Leveret found nothing new' ;;
	1) echo '### Leveret found failures' ;;
	*) echo '### Leveret failed' ;;
	esac
	echo
	echo "$fence"
	head -c 60000 "$report" | iconv -c -f utf-8 -t utf-8 || true
	echo
	[ "$(wc -c <"$report")" -le 60000 ] || echo '… (the rest is in the log of the job)'
	echo "$fence"
}
summary >"$work/summary.md"
cat "$work/summary.md" >>"$GITHUB_STEP_SUMMARY"

# comment replaces the comment of the last run.
comment() {
	local api=repos/$GITHUB_REPOSITORY/issues old
	old=$(gh api --paginate "$api/$LEVERET_PULL_REQUEST/comments" \
		--jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- leveret -->"))) | .id' | head -n 1) || return
	if [ -n "$old" ]; then
		gh api --method PATCH "$api/comments/$old" --field "body=@$work/summary.md" >/dev/null
	else
		gh api --method POST "$api/$LEVERET_PULL_REQUEST/comments" --field "body=@$work/summary.md" >/dev/null
	fi
}
if [ "${LEVERET_COMMENT:-}" = true ] && [[ ${LEVERET_PULL_REQUEST:-} =~ ^[0-9]+$ ]]; then
	comment || echo "The summary was not written to the pull request: the token lacks pull-requests: write, as for forks." >&2
fi

trap - EXIT
echo "::$token::"
[ ! -s "$work/annotations" ] || cat "$work/annotations"
{
	echo "exit-code=$code"
	[ ! -s "$work/leveret.sarif" ] || echo "sarif=$work/leveret.sarif"
} >>"$GITHUB_OUTPUT"
exit "$code"
