#!/usr/bin/env bash
# Prints a link to a shell in a container of yours, good for some minutes and once per browser. Needs curl.
#
#   examples/shell.sh [container]     its name; the first one unless told
#
#   BERTH_URL            where the gateway is; http://127.0.0.1:3000 unless set
#   BERTH_USER           who you are; demo unless set
#   BERTH_DEMO_PASSWORD  the user's password; `npm start` prints that of demo
set -euo pipefail

url=${BERTH_URL:-http://127.0.0.1:3000}/api/v1
password=${BERTH_DEMO_PASSWORD:?set BERTH_DEMO_PASSWORD to the password that npm start printed for demo}
json='Content-Type: application/json'
# field NAME: the first text of that name in what it reads.
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

token=$(curl -fsS -H "$json" -d "{\"username\":\"${BERTH_USER:-demo}\",\"password\":\"$password\"}" "$url/auth/login" | field access_token)
# The whole name where one is given, else any.
name=${1:+$1\"}
id=$(curl -fsS -H "Authorization: Bearer $token" "$url/containers" | tr '{' '\n' | { grep "\"name\":\"${name:-}" || true; } | field id || true)
access=$(curl -fsS -X POST -H "Authorization: Bearer $token" -H "$json" -d '{}' "$url/containers/${id:?there is no such container}/access")
echo "$(field terminal <<<"$access")/?access_token=$(field access_token <<<"$access")"
