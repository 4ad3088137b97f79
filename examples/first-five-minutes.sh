#!/usr/bin/env bash
# The first five minutes with Berth: money, a payment, a firewall rule that packets obey, and the log of it all. Needs curl.
#
#   BERTH_URL            where the gateway is; http://127.0.0.1:3000 unless set
#   BERTH_DEMO_PASSWORD  the demo user's password, which `npm start` prints
#
# It can be run again: keys of its own are made for each run, and the firewall is reset first.
set -euo pipefail

url=${BERTH_URL:-http://127.0.0.1:3000}
password=${BERTH_DEMO_PASSWORD:?set BERTH_DEMO_PASSWORD to the password that npm start printed for demo}
run=$(date +%s)-$$

# api METHOD PATH [BODY]: answers the body, then the status on a line of its own.
api() {
  curl -sS --max-time 20 -X "$1" "$url/api/v1$2" -w '\n%{http_code}' \
    ${token:+-H "Authorization: Bearer $token"} ${3:+-H 'Content-Type: application/json' -d "$3"}
}
# expect TEXT...: the last answer holds every text.
expect() {
  for text in "$@"; do
    case $answer in *"$text"*) ;; *) printf 'expected %s in:\n%s\n' "$text" "$answer" >&2; exit 1 ;; esac
  done
}
# field NAME: the first text of that name in the last answer.
field() { printf '%s' "$answer" | grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }
step() { printf '\n== %s\n' "$*"; }
show() { printf '%s\n' "$answer"; }
# reach: what the server inside the container answers; fails when no packet gets through.
reach() { curl -sS --max-time 2 "http://$address:8080/"; }

token=
step "Sign in as demo"
answer=$(api POST /auth/login "{\"username\":\"demo\",\"password\":\"$password\"}")
expect '"access_token"'
token=$(field access_token)
echo "signed in"

step "Move 25 dollars to AI credit"
answer=$(api POST /wallet/transfers "{\"amount\":\"25\",\"idempotency_key\":\"first-$run\"}"); show
expect '"gross_transferred":"25.00"' '"replayed":false'

step "The same key again: the first receipt, and nothing moves"
answer=$(api POST /wallet/transfers "{\"amount\":\"25\",\"idempotency_key\":\"first-$run\"}"); show
expect '"gross_transferred":"25.00"' '"replayed":true'

step "The same key for another amount: refused"
answer=$(api POST /wallet/transfers "{\"amount\":\"26\",\"idempotency_key\":\"first-$run\"}"); show
expect 'TRANSFER_IDEMPOTENCY_KEY_REUSED' '409'

step "Top up 10 dollars: an intent, and a page to pay at"
answer=$(api POST /wallet/payments/cardpay/checkout "{\"amount\":\"10\",\"idempotency_key\":\"first-$run\"}"); show
expect '"status":"pending"' '/sandbox/cardpay/'
intent=$(field id)
page=$(field checkout_url)

step "Press Pay there (it is the demo's sandbox, nobody pays), and look at the intent until it is completed"
curl -sS --max-time 20 -o /dev/null -d action=pay "$page"
for _ in $(seq 50); do
  answer=$(api GET "/wallet/payments/cardpay/intents/$intent")
  case $answer in *'"status":"pending"'*) sleep 0.2 ;; *) break ;; esac
done
show
expect '"status":"completed"'

step "The balances"
answer=$(api GET /wallet/balances); show

step "The demo container"
answer=$(api GET /containers); show
expect '"name":"welcome"' '"state":"running"'
container=$(field id)
address=$(field address)
case $answer in
  *'"driver":"oci"'*) ;;
  *) echo "This host runs containers without isolation (no root, or not Linux), so it filters no packets: the firewall part is left out."
     firewall=none ;;
esac

if [ "${firewall:-}" != none ]; then
  step "Open port 8080: the first allow rule closes every other port"
  answer=$(api POST "/containers/$container/firewall/reset"); show
  answer=$(api POST "/containers/$container/firewall/ingress" \
    '{"action":"allow","protocol":"tcp","destination_port":"8080","description":"the web server"}'); show
  expect '"applied":true' '"enforced":true'

  step "Reach the server inside it"
  reach

  step "Drop the port: a drop goes before an allow"
  answer=$(api POST "/containers/$container/firewall/ingress" \
    '{"action":"drop","protocol":"tcp","destination_port":"8080","description":"closed again"}'); show
  expect '"applied":true'
  if reach; then echo "the port is still open" >&2; exit 1; fi
  echo "nothing gets through"

  step "Reset: the container is open again"
  answer=$(api POST "/containers/$container/firewall/reset"); show
  expect '"applied":true'
  reach
fi

step "What happened, newest first"
answer=$(api GET '/events?limit=50'); show
expect '"event_type":"user.credit_transferred"'

printf '\nDone.\n'
