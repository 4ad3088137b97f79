// Made by `bun run client-types` from the API's description: not to be edited.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys of access tokens (RFC 7517)
         * @description **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What administrators did, newest first
         * @description Every change that only administrators may make: who made it, what it was, whom or what it concerns, and by which request from which address. An entry is written in the commit of its act, and nobody can delete it.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAdminAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Certificates from the ACME authority, the soonest to end first
         * @description Names that have no certificate yet come before these. Narrowed by `state`, `purpose`, `ends_before` and `search`. Certificates of files are not among them.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/certificates/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order a certificate now, without waiting for its next try
         * @description The reply comes before the order ends: read the list again. The certificate in use stays in use. One that is issued is renewed before its time. Authorities limit how often a name is tried in an hour.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["retryAdminCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Actor hosts and partitions
         * @description The owner and epoch of each partition; the queues, commit times and undelivered messages of each actor host, as of its latest renewal.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The containers of all users, newest first
         * @description Whose each is, where it runs and how it is; nothing of what is in it. Narrowed by `search`, `user_id`, `host`, `server_id` and `state`.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminContainers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of all users, newest first
         * @description With `user_id`, the log of one user; with `user_id=none`, events that are in no user's log: changes of servers and offers, and notifications to all users. `data.by` is the user who acted. Events that users have deleted from their logs are not shown.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Machines that run an agent, by name, and how they are
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminHosts"];
        put?: never;
        /**
         * Add a machine, and get the command by which it joins
         * @description The reply has a one-time token, good for an hour, and the one command to run on the machine. The machine's containers are those of the server of the stock with the same name.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createAdminHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/hosts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A machine that runs an agent, and how it is
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAdminHost"];
        put?: never;
        post?: never;
        /**
         * Remove a machine: its credential ends at once
         * @description Refused while it has containers or storage shares, or while somebody rents its server or a part of it. To empty it, drain it, so that it gets no new ones, and wait until their users have deleted them or their rentals have ended. `force=true` removes a machine that is lost, together with the containers and files on it: its rentals end, and what was paid for the rest of their time is returned to the balances of their users (`ended_rentals`; a setup fee stays paid). The server of the stock is another record, and remains: it cannot be rented until a machine of its name joins.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAdminHost"];
        options?: never;
        head?: never;
        /**
         * Drain a machine, or end its draining
         * @description A draining machine takes no new containers and storage shares (409 HOST_DRAINING), and its server is not listed for rent. Containers that are there run on.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAdminHost"];
        trace?: never;
    };
    "/api/v1/admin/hosts/{id}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make another one-time token, for a machine that joins late or again
         * @description A former token that was not used is worth nothing any more. A machine that joins again gets a new credential, and the former one ends.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["tokenAdminHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All images, also those that are not public, by alias
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminImages"];
        put?: never;
        /**
         * Add an image to the catalogue
         * @description The image is public unless `public` is false. The platform carries debian release 13.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createAdminImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take an image out of the catalogue for good; users who have it keep it
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAdminImage"];
        options?: never;
        head?: never;
        /**
         * Change an image; users who have it keep it, whatever it costs from now on
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAdminImage"];
        trace?: never;
    };
    "/api/v1/admin/images/{id}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give an image its icon
         * @description The body is a PNG of at most 256 KiB and 512 × 512 pixels.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 262144 bytes.
         */
        put: operations["setImageIcon"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a notification to one user or to all users
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["sendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back a notification, from one user or from all users
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAdminNotification"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all offers, including withdrawn ones
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminOffers"];
        put?: never;
        /**
         * Add an offer
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createAdminOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an offer: nobody can order it any more
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAdminOffer"];
        options?: never;
        head?: never;
        /**
         * Change an offer; existing reservations keep their price
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAdminOffer"];
        trace?: never;
    };
    "/api/v1/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What there is, and what waits for an operator
         * @description `attention` has one item for each kind of thing that an operator should look at, with how many there are and the first names, the most urgent kind first.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments that do not match their intents, newest first
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPaymentReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment that does not match its intent
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getPaymentReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/reviews/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit the payment, or dismiss the review
         * @description `credit` adds the money that was paid and is not in the wallet yet to the wallet of the intent's user, once; `dismiss` adds nothing. Both are recorded in the event log with the administrator and the reason.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["resolvePaymentReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reservations that are paid and not delivered, the most urgent first
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminReservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reservations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a reservation that cannot be delivered, and give back what was paid
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["cancelAdminReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reservations/{id}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a reservation: a server of the stock becomes its rental
         * @description The days that were paid for begin at once, so the server's host must have joined (else HOST_NOT_JOINED) and not be drained (HOST_DRAINING). A server of the kind `shared` or `system` is refused, since others' programs run there. The server may be another than the offer describes. One that has fewer cores, less memory or less disk than the offer states, or does not state its own, is refused (SERVER_SMALLER_THAN_ORDERED) unless `accept_smaller` says that this is meant.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["deliverAdminReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all servers, by name
         * @description With who rents each and until when (`renter`). Narrowed by `search`, `status` and `user_id`.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminServers"];
        put?: never;
        /**
         * Add a server to the stock
         * @description It can be rented once its agent has connected (`host_joined_at`), or at once with `delivered_by_hand`. Servers of the kinds `shared` and `system` are for nobody to rent as a whole, neither by the list nor by a reservation. With `parent_id` it is a subserver: a part of a shared server, which is rented by itself and whose containers run on that server's host.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createAdminServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a server out of the stock for good
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAdminServer"];
        options?: never;
        head?: never;
        /**
         * Change a server's specifications or prices
         * @description Active rentals keep the prices that were fixed at their beginning as the maximum for renewals.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAdminServer"];
        trace?: never;
    };
    "/api/v1/admin/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The stock as CSV, to be changed and imported again
         * @description By name, without servers that were removed. `revision` stands for the specs and prices that a line shows; leave it as it is. `price_30` is the price of 30 days in USD. Text that a spreadsheet would run as a formula begins with an apostrophe, which an import takes away.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is CSV.
         */
        get: operations["exportStock"];
        put?: never;
        /**
         * Change many servers at once, by CSV
         * @description The file that `GET /api/v1/admin/stock` gives, with changed cells and new lines. All of it happens or nothing: with one wrong cell (400 INVALID_CSV, `data.errors` with line and column) or one server that somebody changed meanwhile (409 STOCK_CHANGED) the stock stays as it is. Columns and servers that the file lacks are not changed, an empty cell removes the value, and a line without `id` adds a server. A file has at most 2000 servers, of which 300 change. `dry_run=true` only says what would change.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["importStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transaction of any user, with what was refunded of it
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAdminTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/transactions/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a charge, whole or in part
         * @description The money returns to the general balance of the user, who gets a notice with what was refunded and the reason. All refunds of a charge together are never more than the charge. The refund is a transaction of its own, whose invoice is a credit note. What was sold stays as it is: end a rental or take an image back separately. An idempotency key is required, in the body or in the header `Idempotency-Key`.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["refundAdminTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, newest first
         * @description Narrowed by `search` and `status`.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user, with balance, rentals, containers and the last sign-in
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAdminUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user's account
         * @description As `DELETE /api/v1/auth/account`, with a reason for the audit log instead of a proof, and refused for the same: nothing of the user's is ended that still runs. Administrators are not deleted by others.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deleteAdminUser"];
        options?: never;
        head?: never;
        /**
         * Make a user an administrator, or give up being one
         * @description Takes your present password and, where you have a second factor, a `code`, or a `passkey` with its `challenge`. A new administrator's sessions have the role from their next refresh on. With `user` as the role you give up your own, and all your sessions end; others are demoted by the command `berth admin demote` alone. One administrator always remains.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAdminUser"];
        trace?: never;
    };
    "/api/v1/admin/users/{id}/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is in the way of deleting a user's account, and what is kept of it
         * @description Nothing is changed. Administrators are not deleted by others, so there is nothing to see of them.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAdminUserDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's invoices, newest first
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminUserInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/invoices/{invoiceId}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's invoice as PDF; every request gets the same bytes
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a PDF.
         */
        get: operations["getAdminUserInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link by which a user sets a new password
         * @description Give it to the user by a way on which you know who they are. It is good once, for a day; a newer link replaces it. The user's audit log names you and the reason. Administrators are not recovered by others.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["startRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's reservations, newest first, also those that were delivered or cancelled
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminUserReservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a suspended account again
         * @description The user can sign in. Sessions and API tokens that the suspension ended stay ended, and containers that it stopped stay stopped.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["restoreAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a user's account until it is restored
         * @description The user's sessions and API tokens end at once, at every gateway and host, and signing in is refused (403 ACCOUNT_SUSPENDED). Money, rentals and records remain. Whether the user's containers keep running is the operator's setting `BERTH_SUSPENDED_CONTAINERS`. Administrators cannot be suspended.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["suspendAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's transactions, newest first, with what was refunded of each
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAdminUserTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/wallets/{userId}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give money to a user's general balance
         * @description An idempotency key is required, in the body or in the header `Idempotency-Key`.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["creditWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description Takes the present password and, where there is a second factor, a `code`, or a `passkey` with its `challenge`. While you rent, have reserved, or have containers, storage shares, aliases, pools with other members or payments under way it is refused: 409 ACCOUNT_IN_USE, and `data.blockers` lists what is in the way. A balance must be spent, or given up by `forfeit_balance` (409 BALANCE_LEFT). What is left of AI credit is given up too. Sessions, API tokens, second factors, saved payment methods, webhooks, projects, notifications, events, memberships, invitations and permissions end. Invoices, transactions and the audit log stay, under the account's id. The e-mail address is free again; the user name is never given to anybody else. A request that comes again after the deletion is 401: its session has ended.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/account/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is in the way of deleting your account, and what is kept of it
         * @description Nothing is changed. What is in the way may be another thing a moment later.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAccountDeletion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was done with your credentials, newest first
         * @description Sign-ins and their failures, ended sessions, changes of password and e-mail address, API tokens, and what administrators did. Unlike events, entries cannot be deleted.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/codehost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link an identity at the code host
         * @description Sets a cookie, so that only this browser can complete the link. A program without cookies sends its own access token to the callback instead. A newer link replaces an older one.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["beginCodehostLink"];
        /**
         * Unlink the identity at the code host
         * @description A bonus that was claimed stays claimed, by this account and with that identity.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteCodehostLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/codehost/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Callback of the code host
         * @description Valid once, for ten minutes, in the browser in which the link began or with the account's own access token. A browser is sent on to the console's wallet (303).
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["completeCodehostLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the sign-in of a program that a person approves in a browser
         * @description As RFC 8628 has it. Show `user_code` and `verification_uri`, then ask `POST /api/v1/auth/device/token` every `interval` seconds.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["beginDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/{user_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which program asks to be signed in, and from where
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getDeviceSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/{user_code}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a program in as yourself
         * @description It gets a session of its own, which is in the list of your sessions. Until it has it, you can take the approval back by `deny`, and it ends with the session that approved it, with a change of your password, and when you end all other sessions.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["approveDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/{user_code}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a program that asks to be signed in
         * @description Also after you have approved it, until it is signed in: from then on end its session.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["denyDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/device/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether the sign-in was approved
         * @description AUTHORIZATION_PENDING: ask again. SLOW_DOWN: ask less often. Once approved, the code is good once.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["redeemDeviceCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the e-mail address of your account
         * @description The new address signs in from now on, and the former one no longer does. Invoices keep what they have.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["changeEmail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link that verifies your e-mail address
         * @description One is mailed after the sign-up and after a change of the address, where this Berth sends mail.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["requestEmailVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an e-mail address with the token of a mailed link
         * @description **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/impersonate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Act as a user for a while
         * @description The user's event log names the administrator and the reason; the administrator's event log names the user. An impersonation cannot spend money, delete events or manage tokens, and ends with the administrator's own session. Administrators cannot be impersonated, and suspended users neither: an impersonation may do what its user may, which is nothing.
         *
         *     **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["impersonateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by username or e-mail address
         * @description An account with a second factor answers 401 SECOND_FACTOR_REQUIRED: `data` is a SecondFactorChallenge, which `POST /api/v1/auth/login/second-factor` takes with a code or a passkey. An `Idempotency-Key` has no effect here: each sign-in is a session of its own.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a passkey alone
         * @description Neither a name nor a password is asked for: the passkey's device has verified its person, which is two factors in one.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["signInByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/passkey-challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in by a passkey alone
         * @description **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with the second factor
         * @description With `code` (of the app, or a recovery code) or with `passkey`, which signs the challenge's `options`. A challenge is good once, for five minutes, and ends with a change of the password. A code is good once. Twenty tries an hour.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["proveSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session: its tokens are refused from now on
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account that is signed in
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a passkey
         * @description With what the browser made of the challenge's `options`. It signs in by itself from then on, and the password alone no longer does. With your first second factor you get ten recovery codes, and all your other sessions end.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey: it no longer signs in
         * @description Takes the present password and a `code`, or a `passkey` with its `challenge`. The last second factor takes its recovery codes along.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updatePasskey"];
        trace?: never;
    };
    "/api/v1/auth/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to register a passkey
         * @description Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["beginPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends all your other sessions, and a recovery link that waits. API tokens remain: delete those that somebody else may know.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/realm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A short session that reaches one project and nothing else
         * @description It ends with the session that asked for it.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createRealmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token of a recovery link
         * @description An administrator makes the link, good for a day, or it was mailed. It is good once. All sessions of the account end.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["recoverAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a link that sets a new password, by mail
         * @description The link is good once, for 60 minutes, and a second factor stays. The reply is the same whether or not an account has the address. An address gets three links an hour. Administrators without a second factor get none.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["requestRecovery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for new tokens
         * @description A refresh token can be used once. A former token that is used again ends its session. An `Idempotency-Key` has no effect here: a used token is never accepted twice.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The second factors of your account
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getSecondFactor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factor/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A challenge by which a passkey confirms a change
         * @description Its answer is the `passkey` of requests that take a second factor. Codes need no challenge.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["createConfirmationChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factor/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace your recovery codes
         * @description Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`. The former codes are no longer good.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["replaceRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factor/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Turn codes of an app on, with its first code
         * @description With your first second factor you get ten recovery codes, each good once, and all your other sessions end: they were begun without it.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["enableTotp"];
        /**
         * Begin to set up codes of an app
         * @description Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`. Nothing changes until the app's first code was given to `PUT /api/v1/auth/second-factor/totp`. Where codes are set up already, these replace them.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["beginTotpSetup"];
        /**
         * Remove codes of an app
         * @description Takes the present password and, where there is a second factor, a `code` or a `passkey` with its `challenge`. The last second factor takes its recovery codes along.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["disableTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions, the last used first
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your sessions
         * @description Their tokens are refused from now on, and their connections to containers are closed. With `keep_current=true` the session of this request continues. API tokens are not sessions: delete them one by one.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions, wherever it was begun
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account and sign in
         * @description **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your API tokens, oldest first
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create an API token; only this reply shows it
         * @description For `Authorization: Bearer`, or as the password of `Authorization: Basic` with your user name. It may do what its `permissions` say, and with a `realm_id` (a project of yours) only in that project. It never manages tokens or administers.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API token: it is refused from now on
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/callbacks/cardpay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Callback of the processor behind cardpay: a payment was settled, failed or expired
         * @description Signed by the processor's own scheme over the bytes of the body: Standard Webhooks (sandbox), `Stripe-Signature` or `BTCPay-Sig`. A repeated callback changes nothing.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the limit of callbacks of its sender (`RateLimit`); a body has at most 262144 bytes.
         */
        post: operations["receiveCardpayCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/callbacks/cryptopay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Callback of the processor behind cryptopay: a payment was settled, failed or expired
         * @description Signed by the processor's own scheme over the bytes of the body: Standard Webhooks (sandbox), `Stripe-Signature` or `BTCPay-Sig`. A repeated callback changes nothing.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the limit of callbacks of its sender (`RateLimit`); a body has at most 262144 bytes.
         */
        post: operations["receiveCryptopayCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/certificate-authority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The authority of the certificates of containers' addresses
         * @description A file for browsers and programs that are to trust the https addresses of containers, where the operator uses an authority of their own. It is good for those names alone. 404 where a public authority has signed them.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a file of certificates.
         */
        get: operations["getCertificateAuthority"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The containers on your servers and in your pools, and those that you created, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listContainers"];
        put?: never;
        /**
         * Create a container on a server that you rent, and start it
         * @description The container's file system comes from an image: one of the catalogue (`image_id`), or any image of a registry (`image`). The field `image` of the record shows the progress of the pull. Without either, the container sees the programs of its host. `command` and `args` have the meaning that they have in Kubernetes: `command` takes the place of the image's entry point, `args` that of its arguments; a `command` alone runs without the image's arguments. Values of `env` that are marked `secret` are stored encrypted and never shown again.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createContainer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A container, with its server and the state that its host last applied
         * @description The `ETag` is the revision of its settings, for `If-Match` of a change; it does not change with the container's state.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getContainer"];
        put?: never;
        post?: never;
        /**
         * Delete a container and everything in it
         * @description Allowed for the renter of its server, admins of the server's pool, and its creator, also after leaving the pool.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteContainer"];
        options?: never;
        head?: never;
        /**
         * Change a container's settings
         * @description What is left out stays as it is; a field that is given takes the place of the whole former one. `If-Match` names the revision that was read (the `ETag` of the record). Name, command, arguments and environment are those of the next start: `restart_required` of the reply lists what a running container does not have yet. Resources change while it runs, where its host can (`resources.applied`); labels, ports, restart policy, health check, and signal and time to stop at once. In `env`, a secret that is given without a `value` keeps the value that it has. The reference of the image and the server of a container do not change; `POST …/{id}/pull` takes a newer image of the same reference, or of the one that the catalogue's entry has now.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateContainer"];
        trace?: never;
    };
    "/api/v1/containers/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A credential for a container's terminal, pipe and notifications
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["createContainerAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/exec": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a command in a container, and wait for its end
         * @description The program is started as it is named, without a shell, so it also works in an image that has none; for a shell line, name the shell: `["sh", "-c", "…"]`. It gets no terminal; an interactive program needs the web terminal. At 256 KiB of output or at the end of its time it is ended, with all that it started. It is also ended, within about a second, when your session or your access to the container ends. Four commands run in a container at a time. Under the same `Idempotency-Key` a command runs once: a repeated request waits for it, and gets the same result for two minutes after its end. The event log has each command as `container.terminal_opened`, with the name of the program.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["runCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/firewall/egress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an egress rule
         * @description The first enabled ingress rule closes the container: from then on, incoming packets are rejected unless a rule allows them. An egress rule and a disabled rule close nothing, and outgoing packets pass unless a rule denies them (`defaults` of the listing). The host's edge can always connect to the container: an alias is an opening that its owner made. Drop is checked before reject and reject before allow; the order in which rules were added does not matter. The reply waits at most one second for the host; `firewall` says whether the host has applied the revision with this rule.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createEgressRule"];
        /**
         * Remove egress rules
         * @description Removes the oldest rule that matches every given field, or with `all` every matching rule; without `state`, enabled rules match. `all` without another field removes every rule of this direction, enabled or not. Where nothing matches, nothing changes and `removed_count` is 0. The firewall stays attached: without any rule, incoming packets are rejected as before; `reset` opens the container. No body is the same as `{}`: the oldest enabled rule is removed. Behind a proxy that drops the bodies of DELETE requests, use `reset` or another way.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deleteEgressRules"];
        options?: never;
        head?: never;
        /**
         * Enable or disable an egress rule
         * @description Changes the oldest rule that matches every given field and is not in `state` yet. Fields are compared in normal form (`443, 80` is `80,443`; `10.0.0.5/8` is `10.0.0.0/8`; `0.0.0.0/0` is a rule without an address). When all matching rules are in `state` already, nothing changes and the reply has the oldest one. A rule that would become identical to another rule is not changed (FIREWALL_RULE_EXISTS). The counters of a rule that is enabled again start at zero.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateEgressRules"];
        trace?: never;
    };
    "/api/v1/containers/{id}/firewall/ingress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an ingress rule
         * @description The first enabled ingress rule closes the container: from then on, incoming packets are rejected unless a rule allows them. An egress rule and a disabled rule close nothing, and outgoing packets pass unless a rule denies them (`defaults` of the listing). The host's edge can always connect to the container: an alias is an opening that its owner made. Drop is checked before reject and reject before allow; the order in which rules were added does not matter. The reply waits at most one second for the host; `firewall` says whether the host has applied the revision with this rule.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createIngressRule"];
        /**
         * Remove ingress rules
         * @description Removes the oldest rule that matches every given field, or with `all` every matching rule; without `state`, enabled rules match. `all` without another field removes every rule of this direction, enabled or not. Where nothing matches, nothing changes and `removed_count` is 0. The firewall stays attached: without any rule, incoming packets are rejected as before; `reset` opens the container. No body is the same as `{}`: the oldest enabled rule is removed. Behind a proxy that drops the bodies of DELETE requests, use `reset` or another way.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deleteIngressRules"];
        options?: never;
        head?: never;
        /**
         * Enable or disable an ingress rule
         * @description Changes the oldest rule that matches every given field and is not in `state` yet. Fields are compared in normal form (`443, 80` is `80,443`; `10.0.0.5/8` is `10.0.0.0/8`; `0.0.0.0/0` is a rule without an address). When all matching rules are in `state` already, nothing changes and the reply has the oldest one. A rule that would become identical to another rule is not changed (FIREWALL_RULE_EXISTS). The counters of a rule that is enabled again start at zero.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateIngressRules"];
        trace?: never;
    };
    "/api/v1/containers/{id}/firewall/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove every rule and detach the firewall: the container is open again
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["resetFirewall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/firewall/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rules of both directions, their limits, and what the host enforces
         * @description `packets` and `bytes` of each rule are read from the host for each listing, which waits at most a quarter of a second for them. A rule counts the packets that it decided about: of a flow that was allowed, those of the side that opened it. The `ETag` is the revision of the rules, for `If-Match` of a replacement; it does not change with the counters.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listFirewallRules"];
        /**
         * Replace all rules of both directions
         * @description All rules become those of the body in one revision, and the host applies them at once: no packet meets a part of them. `If-Match` names the revision that was read (the `ETag` of the listing). A rule with the `id` of one that is there takes its place; a rule without an `id` that is identical to one keeps that one's. Rules that keep their `id` and say the same keep their counters. Rules that are there already change nothing, and the revision stays. An empty list removes every rule and leaves the firewall attached: `reset` opens the container.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["replaceFirewallRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/firewall/rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the rule of this id
         * @description Removes this rule and no other. The firewall stays attached, as after every removal.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteFirewallRule"];
        options?: never;
        head?: never;
        /**
         * Enable or disable the rule of this id
         * @description Meets this rule and no other. A rule that is in the state already stays as it is. One that would become identical to another rule is not changed (FIREWALL_RULE_EXISTS).
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateFirewallRule"];
        trace?: never;
    };
    "/api/v1/containers/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a container has written to stdout and stderr
         * @description The container's host keeps the newest 8 MiB at least, also of former runs. Without `cursor` the reply has the newest lines; `cursor` of a reply leads to those after it. With `follow=true` the reply is a stream of Server-Sent Events, whose `data` is JSON: `line` has a line, and `dropped` says that lines are lost before the next one, because the log was full before they were read. After a broken connection the stream goes on behind the event of the header `Last-Event-ID`. It ends when the credential or the access to the container ends. A user may follow ten logs.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getContainerLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a container has used over time: CPU, memory, disk, network
         * @description The container's host measures every 10 seconds. It keeps a day of that, and a month of means of 5 minutes. The reply has 1,000 values of each series at most. Where the host offers no isolation (driver `process`), only the disk is measured.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getContainerMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The users who have a permission to enter a container, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listContainerPermissions"];
        put?: never;
        /**
         * Let a user enter a container, for a time or until it is revoked
         * @description The user needs no role on the container's server, and gets no other one: `POST …/access` gives them a credential for the container's terminal, pipe, notifications and files, and nothing else of it is theirs to see. With `services` it is for these alone, which the container must have. A user who may enter it by a role gets none: it would outlive the role. Granted again, it has the new end and the new services.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createContainerPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/permissions/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a user's permission to enter a container
         * @description Within about a second open terminals end, and tokens are refused.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteContainerPermission"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the newest image of a container's reference
         * @description The host asks the registry what the reference means now and pulls that. A container of an image of the catalogue takes the reference that the catalogue's entry has now. The container runs on meanwhile; if the image is another one than the container has, it is then stopped and started again with it. Name, address, ports, firewall, storage shares and the folders that its former image declares as volumes stay; its other files are those of the new image. If the image cannot be had, the container keeps the one that it has, and `error` of the record says why. `image.digest` of the record names the image that it runs.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["pullContainer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Container restarting; its state changes when the host has done it
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["restartContainer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Container starting; its state changes when the host has done it
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["startContainer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Container stopping; its state changes when the host has done it
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["stopContainer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/containers/{id}/volumes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the volumes of a container
         * @description The volumes of the body replace all that the container had. They are mounted at its next start: a running container keeps what it has until it is restarted.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updateContainerVolumes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened, newest first
         * @description Your log, and from others' logs the events of containers, firewalls and aliases on servers that you may read, of pools that you are a member of, and notices to everybody. A `realm_id` is a project's id. With `resource_id` or `container_id`, the newest 10,000 are counted and listed.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        /**
         * Delete events from your log
         * @description An event is deleted when it matches every given filter. At least one filter or `all: true` is required. Not allowed while impersonating.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        delete: operations["deleteEvents"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An event
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        /**
         * Delete an event for good
         * @description An event of another user's log is not yours to delete (403). Not allowed while impersonating.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/cleanup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete events of all users that are older than a number of days
         * @description **Access**: an account login of an administrator.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["cleanUpEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many events of each type there were, and when the first and the last
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getEventStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your events as they happen
         * @description With the header `Last-Event-ID` the stream continues after that event, if at most 1000 events came since; otherwise the stream sends `gap` and continues with new events. After a long absence, some events from shortly before that one are sent again; compare their ids. Deleted events are not sent. The stream has all events that the list has, others' too: access is checked for each event as it happens. The stream ends when the credential ends, and when the client reads too slowly: connect again. A user may have ten streams.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a stream that does not end.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/enrol": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A machine joins with its one-time token
         * @description `berth agent join` sends it. The private key stays on the machine; the reply has a credential for the public one, which the agent renews by itself. It reaches the subjects of this host and no other. With `expected_name` a token of another host is refused before it is used.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["enrolHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An image's icon, or a placeholder: always a PNG
         * @description The placeholder is sent for an image that has no icon, is not public, or does not exist. The reply has `ETag` and `Last-Modified`; a client that has the icon already gets 304.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a picture.
         */
        get: operations["getImageIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/import/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a free image
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["importImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The catalogue: images that meet all filters
         * @description Without `sort_order`, aliases are sorted in ascending order and everything else in descending order: the newest, most expensive or best rated first. An image without ratings has the rating 0.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPublicImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/public/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An image of the catalogue, with its serial
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getPublicImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/purchase/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy an image from the general balance
         * @description The price is the one that the catalogue shows when the request arrives, or less. When the price rises at that moment, the reply is CHARGE_EXCEEDS_MAX with `total_cents`, and nothing is charged. An image is bought once, also when its price changes afterwards.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["purchaseImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/rate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate an image, or change your rating of it
         * @description Any image of the catalogue, and those that you have. A user has one rating of an image.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["rateImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Images that you have imported or purchased, the newest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listUserImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notifications to you and to all users, newest first
         * @description With `cursor` (or `before`), a page's `next_cursor`, pages neither skip nor repeat notifications that are added meanwhile; `page` is ignored then. `total` counts what `unread_only` or `read_only` keeps.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a notification
         * @description A notification to all users is deleted for you alone; others still see it.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteNotification"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a notification as read
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        put: operations["markNotificationRead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which notices are mailed to you
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getNotificationMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Choose which notices are mailed to you
         * @description What is left out stays. Notices are mailed to a verified address alone; all of them are in the inbox as well, but for that of a low balance, which is mailed once each time the balance falls below `low_balance_below`.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateNotificationMail"];
        trace?: never;
    };
    "/api/v1/notifications/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public notifications, newest first
         * @description **Access**: open to anyone.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPublicNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark all notifications as read
         * @description **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        put: operations["markAllNotificationsRead"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The number of unread notifications, the position of the newest, and how often to poll
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getNotificationSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers that can be ordered, with their lead times
         * @description A reservation costs `pricing_rules[days]` and the setup fee, which is `setup_fee_rules[days]` if there is such a key (also 0), else `setup_fee_cents`. All in cents.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/offers/{id}/reserve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reserve a server of an offer; it is paid at once
         * @description `max_charge_cents` must be the exact total of rent and setup fee; any difference is refused with `total_cents`. The key is required, in the body or in the header `Idempotency-Key`. The same key answers the original reservation, whatever else the request says, and charges nothing more. A refusal is not kept: after INSUFFICIENT_BALANCE the same key may try again.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["reserveOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pools that you own or have joined, your default pool first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPools"];
        put?: never;
        /**
         * Create a pool
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createPool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A pool with its members and servers
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getPool"];
        /**
         * Change a pool's description or settings; for its owner
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updatePool"];
        post?: never;
        /**
         * Delete a pool without servers; for its owner. The default pool stays
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deletePool"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation, by its id
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user; they become a member when they accept
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["invitePoolMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a member's role; for the owner
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updatePoolMember"];
        post?: never;
        /**
         * Remove a member, or withdraw an invitation; for the owner and admins. Members may leave by themselves
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deletePoolMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an invitation, by its id
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["rejectInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pools/invitations/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations that wait for your answer, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPendingInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your projects, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description **Access**: an account login, or a credential with the permission `resources.write`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A project
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project that has no containers and no storage shares
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project's name or description; what is left out stays as it is
         * @description Addresses of containers and aliases have the project's id, and so they stay as they are.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/v1/projects/{id}/registry-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The registries for which a project has credentials, without passwords
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listProjectRegistryCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/registry-credentials/{registry}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a project's credential for a registry
         * @description Hosts use it for the images of this project's containers from now on. A container whose image could not be pulled is tried again by itself.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updateProjectRegistryCredential"];
        post?: never;
        /**
         * Remove a project's credential for a registry; containers that have their image keep it
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteProjectRegistryCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/compose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a compose file
         * @description What the file asks for, as fields of requests: what `berth up` and the console compare with what there is. It changes nothing and looks at nothing of yours. A file that asks for what cannot be kept is refused with its line and field (`body.file`).
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["readComposeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your proxy aliases, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAliases"];
        put?: never;
        /**
         * Expose a container under a short name
         * @description The container is on a server that you rent, or on one of a pool in which you are an admin. A name is unique on the container's server. The target port of http, https and ssh is `port`, else `index`, else the one in `program`, else 80, 443 or 22. Other programs have a port of their own: `port` is refused. Every container has `terminal`, `pipe`, `notifications` and `files`; its image may declare more, which `image.programs` of the container lists (labels `berth.program.<name>`), such as `code` and `display`. A program that the container lacks is a 400. Of `display`, `index` is the number of the X display.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/aliases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A proxy alias, with its project and container
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAlias"];
        put?: never;
        post?: never;
        /**
         * Delete a proxy alias: its URL answers 404 at once, and its name is free
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteAlias"];
        options?: never;
        head?: never;
        /**
         * Change a proxy alias; what is left out stays as it is
         * @description A new name changes the URL at once and frees the old one. An `expires_at` in the past is refused; to stop an alias, disable it. An alias that has expired stays disabled until it is enabled together with, or after, a later `expires_at`.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateAlias"];
        trace?: never;
    };
    "/api/v1/proxy/aliases/{id}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your own domains that lead to a proxy alias, with their proofs
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAliasDomains"];
        put?: never;
        /**
         * Let a domain of your own lead to a proxy alias
         * @description Prove that the domain is yours by a TXT record, or by a CNAME of the domain to the alias's own name; either is looked for from now on, and again every few hours once it is found. Then visitors of the domain reach the alias. A domain that another account has proven stays theirs until their proof is gone for three days, or they remove it.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["addAliasDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/aliases/{id}/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Give a domain up: it leads to the alias no longer, and is free for others
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["removeAliasDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/aliases/{id}/domains/{domain}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the proof of a domain looked for now, also after it has failed
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["checkAliasDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/aliases/{id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Enable or disable a proxy alias
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["setAliasState"];
        trace?: never;
    };
    "/api/v1/proxy/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your own domains of all proxy aliases, with their proofs, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List quotas with their limits and use
         * @description Every quota is listed. `used` is known for the quotas of your account, and for those of the project, pool, server and container that the query names. A request that would go past a limit gets 403 QUOTA_EXCEEDED, with the quota in `data`.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listQuotas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the servers that you rent, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listRentals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A rental
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getRental"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}/auto-extension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a rental extend itself
         * @description A day before its end (for lengths of less than four days, in the last quarter of such a time) the rental is extended by `additional_days` and your balance is charged: the present price, never more than `renewal_prices`, and never more than `max_charge_cents`. If the time for that has come, it is done at once. What fails, for lack of money or since the price is above `max_charge_cents`, is tried again until the end, and `last_failure` and a notice say why. It applies to every further end until it is switched off, the rental ends, or your account is suspended.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updateRentalAutoExtension"];
        post?: never;
        /**
         * Let a rental extend itself no longer
         * @description The rental then ends at `rental_end`. An extension that is being paid for at this moment goes on.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteRentalAutoExtension"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a rental up before its end
         * @description It ends at once. Of a server that was never delivered (`awaits_delivery`) everything that was paid returns to your balance, with the setup fee; otherwise nothing is refunded. What runs on the server is stopped; its containers and storage shares are deleted after the operator's time of grace, as at any end. This cannot be undone. `expected_rental_end` is the `rental_end` that you read: after an extension or a delivery in between the request is refused (EXTENSION_ALREADY_APPLIED).
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["endRental"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the end of a rental
         * @description An extension costs the present price for the chosen number of days, and never more than `renewal_prices`, which were fixed when the rental began. A rental without such a price needs `max_charge_cents`. Read the rental again before a retry: an extension applies once to the `rental_end` for which it was requested.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["extendRental"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a server has used over time: CPU, memory, disk, network
         * @description As its host has measured it: every 10 seconds for a day, and means of 5 minutes for a month. `scope` is as for the present use. The network is that of the interfaces with a default route. For account logins alone.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getRentalMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rentals/{id}/runtime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The present use of a server: CPU, memory, disk
         * @description Read from the server's host and kept for 2 seconds, so that it may be polled. `scope` is `physical` for a server, and `subserver` for a part of one: the sum of its containers, and the totals of its specifications. A physical server with subservers, and a shared or system host, is refused (SHARED_HOST). For account logins alone.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getRentalUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your reservations, newest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listReservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A reservation
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getReservation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reservations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a reservation that is not delivered yet, and get back what was paid
         * @description Rent and setup fee return to the general balance. A reservation that was delivered is a rental: end that instead, without a refund.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["cancelReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the servers that you rent, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listRentedServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A rental
         * @description **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getRentedServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/auto-extension": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a rental extend itself
         * @description A day before its end (for lengths of less than four days, in the last quarter of such a time) the rental is extended by `additional_days` and your balance is charged: the present price, never more than `renewal_prices`, and never more than `max_charge_cents`. If the time for that has come, it is done at once. What fails, for lack of money or since the price is above `max_charge_cents`, is tried again until the end, and `last_failure` and a notice say why. It applies to every further end until it is switched off, the rental ends, or your account is suspended.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updateServerAutoExtension"];
        post?: never;
        /**
         * Let a rental extend itself no longer
         * @description The rental then ends at `rental_end`. An extension that is being paid for at this moment goes on.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteServerAutoExtension"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a rental up before its end
         * @description It ends at once. Of a server that was never delivered (`awaits_delivery`) everything that was paid returns to your balance, with the setup fee; otherwise nothing is refunded. What runs on the server is stopped; its containers and storage shares are deleted after the operator's time of grace, as at any end. This cannot be undone. `expected_rental_end` is the `rental_end` that you read: after an extension or a delivery in between the request is refused (EXTENSION_ALREADY_APPLIED).
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["endServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the end of a rental
         * @description An extension costs the present price for the chosen number of days, and never more than `renewal_prices`, which were fixed when the rental began. A rental without such a price needs `max_charge_cents`. Read the rental again before a retry: an extension applies once to the `rental_end` for which it was requested.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["extendServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a server has used over time: CPU, memory, disk, network
         * @description As its host has measured it: every 10 seconds for a day, and means of 5 minutes for a month. `scope` is as for the present use. The network is that of the interfaces with a default route. For account logins alone.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getServerMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/rent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rent a server of the stock
         * @description `max_charge_cents` is the most that may be charged: `pricing.price_tiers[rental_days].total_first_payment` of the list. A lower present price is charged as it is; a higher one is refused with `total_cents`. After INSUFFICIENT_BALANCE take a new key. A server whose host has never joined cannot be rented (HOST_NOT_JOINED), unless it is delivered by hand (`delivered_by_hand` of the list): such a server is paid for at once, and takes containers only after an operator has started its agent, which is when the paid time begins (`awaits_delivery`).
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["rentServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{id}/runtime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The present use of a server: CPU, memory, disk
         * @description Read from the server's host and kept for 2 seconds, so that it may be polled. `scope` is `physical` for a server, and `subserver` for a part of one: the sum of its containers, and the totals of its specifications. A physical server with subservers, and a shared or system host, is refused (SHARED_HOST). For account logins alone.
         *
         *     **Access**: an account login.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getServerUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/available": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List servers in stock that meet all filters, the lowest price a day first
         * @description `pricing.price_tiers[days].total_first_payment` is what renting for so many days costs with the setup fee, in cents.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAvailableServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/storage-shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The storage shares on your servers and in your pools, and those that you created, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listStorageShares"];
        put?: never;
        /**
         * Create a storage share on a server that you rent
         * @description Its files outlive containers: containers of the same project on the same server mount it by their `volumes`, several at once. Its host makes it at once, with room for `size_bytes`.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createStorageShare"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/storage-shares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A storage share, with what its files take and which containers run with it
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getStorageShare"];
        put?: never;
        post?: never;
        /**
         * Delete a storage share with its files and snapshots
         * @description Refused while a container has it among its volumes, whether the container runs or not, or still runs with it (`STORAGE_SHARE_MOUNTED`). Allowed for the renter of its server, admins of the server's pool, and its creator, also after leaving the pool.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteStorageShare"];
        options?: never;
        head?: never;
        /**
         * Rename a storage share, make it larger, or schedule its snapshots
         * @description With `snapshot_schedule` the share takes snapshots by itself; null ends that. A host that can grow a share under running containers does so at once. Others wait until no container runs with it; `applied_size_bytes` tells when it is done.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateStorageShare"];
        trace?: never;
    };
    "/api/v1/storage-shares/{id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The snapshots of a storage share, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listStorageShareSnapshots"];
        put?: never;
        /**
         * Create a snapshot of a storage share
         * @description Its files as they are at one moment, also while containers write: their writes wait until the copy is made. Where the host's disk shares blocks between copies this takes milliseconds; elsewhere at most a minute, after which the snapshot fails, and is to be made while no container runs with the share.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createStorageShareSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/storage-shares/{id}/snapshots/{snapshot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteStorageShareSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/storage-shares/{id}/snapshots/{snapshot_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring back the files of a snapshot
         * @description Everything that was written since the snapshot is lost. Refused while a container with the share among its volumes runs or is to run: stop it first. Containers that are started meanwhile wait until the files are back.
         *
         *     **Access**: an account login, or a credential with the permission `resources.write`. A session of a realm reaches what is in its project.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["restoreStorageShareSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/ai-fee-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The fees on your transfers to AI credit
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listAiFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * General balance and AI credit
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/balances/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * AI credit
         * @description When the usage cannot be read, `ai_usage` and `ai_remaining` are zero: `/balances` says in `ai_usage_status` whether they are known.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getAiBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/balances/general": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The record of the general balance
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getGeneralBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/billing-details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom your invoices are made out to
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getBillingDetails"];
        /**
         * Set whom your invoices are made out to
         * @description Takes the place of all that was set before. Invoices from now on keep a copy of it in `billing_details` and print it; those that were issued before do not change. A VAT id is checked by the shape that its country gives it.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updateBillingDetails"];
        post?: never;
        /**
         * Remove your billing details
         * @description Invoices that were issued with them keep their copies.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteBillingDetails"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/codehost-bonus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bonus for an identity at the code host
         * @description The reply does not need the code host. When the offer has ended, `enabled` is false, and an earlier claim is still shown.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getCodehostBonus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/codehost-bonus/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim the bonus for the linked identity
         * @description One claim for each account and for each identity. `result` tells the outcome. The same idempotency key returns the first outcome again.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["claimCodehostBonus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your invoices, without their items and billing details
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An invoice
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An invoice as PDF; every request gets the same bytes
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a PDF.
         */
        get: operations["downloadInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/invoices/generate/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The invoice of a transaction; it is issued if there is none
         * @description The invoice of a refund is a credit note. Invoices (`INV-2026-000001`) and credit notes (`CN-2026-000001`) are numbered apart, each without gaps within the year of issue. 201 for the request that issued the invoice, 200 for all others.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["generateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payment-availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The providers that accept top-ups now, with the smallest and largest amount
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getPaymentAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your payment methods, oldest first
         * @description A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the method that was added last. Making a method the default makes it active.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listPaymentMethods"];
        put?: never;
        /**
         * Add a payment method
         * @description A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the method that was added last. Making a method the default makes it active.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payment-methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment method
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getPaymentMethod"];
        /**
         * Change its details or status, or make it the default
         * @description A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the method that was added last. Making a method the default makes it active.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        put: operations["updatePaymentMethod"];
        post?: never;
        /**
         * Delete a payment method
         * @description A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the method that was added last. Making a method the default makes it active.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deletePaymentMethod"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payment-methods/{id}/default": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make it the default
         * @description A payment method is a note of how you pay, for people and for programs that show it. Berth never charges one: every top-up is paid on the processor's own page. Exactly one of your payment methods is the default. The first one that you add becomes the default. When the default is deleted or made inactive, the active method that was added last becomes the default; without an active method, the default stays or passes to the method that was added last. Making a method the default makes it active.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        put: operations["setDefaultPaymentMethod"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cardpay/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top up by card
         * @description The user pays on the hosted page. When the processor confirms the payment, the wallet is credited and the intent becomes `completed`. The same idempotency key, in the body or in the header `Idempotency-Key`, returns the original intent, also with another amount, and continues where an earlier request stopped. A request without a key makes a new intent. The two providers have separate keys.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createCardpayCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cardpay/intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your payment intents with cardpay, newest first
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listCardpayIntents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cardpay/intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment intent with cardpay; poll it until it is no longer pending
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getCardpayIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cardpay/intents/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a top-up with cardpay that is not paid yet
         * @description The intent becomes `expired` at once, and no longer counts towards the limit of open top-ups. The processor's page may stay open for a while: a payment that is still made there is credited.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["cancelCardpayIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cryptopay/intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your payment intents with cryptopay, newest first
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listCryptopayIntents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cryptopay/intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment intent with cryptopay; poll it until it is no longer pending
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getCryptopayIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cryptopay/intents/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a top-up with cryptopay that is not paid yet
         * @description The intent becomes `expired` at once, and no longer counts towards the limit of open top-ups. The processor's page may stay open for a while: a payment that is still made there is credited.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["cancelCryptopayIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/payments/cryptopay/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Top up by crypto
         * @description The user pays on the hosted page. When the processor confirms the payment, the wallet is credited and the intent becomes `completed`. The same idempotency key, in the body or in the header `Idempotency-Key`, returns the original intent, also with another amount, and continues where an earlier request stopped. A request without a key makes a new intent. The two providers have separate keys.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createCryptopayInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A month of your balance: both ends of it, and what changed it by kind
         * @description Of the general balance. A month of the past does not change any more; the present one is until now.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statements/{month}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement of a month as CSV
         * @description A line for the opening balance, one for each transaction with the balance after it, oldest first, and one for the closing balance. Text that a spreadsheet would run as a formula begins with an apostrophe.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is CSV.
         */
        get: operations["getStatementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statements/{month}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement of a month as PDF
         * @description With each transaction, where they are at most 500; else with the sums alone. Made out as your invoices are.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         *
         *     **Example**: none, since the reply is a PDF.
         */
        get: operations["getStatementPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your transactions, newest first
         * @description `pagination.next_cursor` is null on the last page.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transaction
         * @description **Access**: an account login, or a credential with the permission `wallet.read`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move money from the general balance to AI credit
         * @description AI credit cannot be moved back. A repeated request with the same idempotency key and amount returns the first receipt with `replayed: true` and moves nothing; `limit_sync_pending` then tells the state at the time of the reply.
         *
         *     **Access**: an account login, or a credential with the permission `wallet.spend`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your webhooks, oldest first
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook; only this reply shows its secret
         * @description Your events from now on (those of `GET /api/v1/events`, others' too) are sent to the address as POST requests, signed by Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`. The body has `type`, `timestamp` and `data`, the event. Each event comes at least once, those of one resource in their order: drop by `webhook-id` what comes twice. Any 2xx within 15 seconds is success; otherwise attempts follow for a day, with growing pauses. Redirects 307 and 308 are followed, three at most. Addresses of private networks are refused, also after names and redirects are looked up.
         *
         *     **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries
         * @description **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, or switch it on or off
         * @description Switched off, its pending deliveries fail, and events are not kept for it. Deliveries that are pending go to the new address.
         *
         *     **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of a webhook, newest first
         * @description What ended is kept for seven days.
         *
         *     **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A delivery with its payload
         * @description **Access**: an account login, or a credential with the permission `resources.read_account`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description The same payload under the same `webhook-id`, as a delivery of its own, beside the order of the others.
         *
         *     **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["redeliverWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret; only this reply shows it
         * @description For a day, or as long as `keep_previous_hours` says, each request has two signatures, of the new secret and of the former one. A secret before that one ends at once.
         *
         *     **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`); a body has at most 1048576 bytes.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test delivery
         * @description Its type is `webhook.test`. The delivery appears in the log in a moment.
         *
         *     **Access**: an account login, or a credential with the permission `webhooks.manage`.
         *
         *     **Limits**: counts in the caller's limit of requests (`RateLimit`).
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether this process responds
         * @description **Access**: open to anyone.
         *
         *     **Limits**: not counted in any limit of requests.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether this process can serve requests
         * @description Responds within a second. 503 with the same `data` when a component is down, or when this process is about to stop.
         *
         *     **Access**: open to anyone.
         *
         *     **Limits**: not counted in any limit of requests.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description of the container's own services those that you may enter */
        AccessUrls: {
            /** @description https URL of its notification server */
            notifications?: string;
            /** @description https URL of its streaming pipe */
            pipe?: string;
            /** @description https URL of its web terminal */
            terminal?: string;
        };
        AccountBlocker: {
            id: string | null;
            /**
             * @description `rental`: a server that the user rents; `reservation`: a server that the user has reserved; `container`: a container that the user made, also one on a server of a pool; `storage_share`: a storage share that the user made; `alias`: an alias that the user made; `pool`: a pool that the user owns, with other members; `payment`: a top-up that is not paid yet; it expires by itself; `payment_review`: a payment that waits for an operator's review; `purchase`: a payment or a refund that takes place at this moment; `last_administrator`: nobody else could run this installation: make another account an administrator first
             * @enum {string}
             */
            kind: "rental" | "reservation" | "container" | "storage_share" | "alias" | "pool" | "payment" | "payment_review" | "purchase" | "last_administrator";
            name: string | null;
            until: string | null;
        };
        AccountDeletedReply: {
            data: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                deleted_at: string;
                /** @description what remains, under the account's id, without an end: invoices as they were issued, transactions with their movements, and the audit log */
                kept: components["schemas"]["KeptRecord"][];
            };
            message: string;
            statusCode: number;
        };
        AccountDeletionCheck: {
            /** @description what must end first; 50 at most */
            blockers: components["schemas"]["AccountBlocker"][];
            /**
             * @description what is given up, in USD, if it is confirmed by `forfeit_balance`
             * @example 475.00
             */
            general_balance: string;
            /** @description what remains, under the account's id, without an end: invoices as they were issued, transactions with their movements, and the audit log */
            kept: components["schemas"]["KeptRecord"][];
        };
        AccountDeletionCheckReply: {
            data: components["schemas"]["AccountDeletionCheck"];
            message: string;
            statusCode: number;
        };
        /**
         * @description `reject` denies with a response, `drop` denies silently
         * @enum {string}
         */
        Action: "allow" | "reject" | "drop";
        AddDomain: {
            /** @description a domain name such as shop.example.com; internationalized names in their ASCII form (xn--) */
            domain: string;
        };
        AddEgressRule: {
            action: components["schemas"]["Action"];
            description: string;
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            destination?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol: components["schemas"]["Protocol"];
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            state?: components["schemas"]["RuleState"];
        };
        AddIngressRule: {
            action: components["schemas"]["Action"];
            description: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol: components["schemas"]["Protocol"];
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            source?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            state?: components["schemas"]["RuleState"];
        };
        AdminAuditReply: {
            data: {
                count: number;
                entries: components["schemas"]["PrivilegedEntry"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        AiBalance: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_limit: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_remaining: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_usage: string;
        };
        AiBalanceReply: {
            data: components["schemas"]["AiBalance"];
            message: string;
            statusCode: number;
        };
        AiFee: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            amount: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            transaction: {
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                amount: string;
                /** @description 24 hexadecimal characters */
                id: string;
                reason: string;
            };
            /** @description 24 hexadecimal characters */
            transaction_id: string;
        };
        AiFeesReply: {
            data: {
                fees: components["schemas"]["AiFee"][];
                pagination: components["schemas"]["Pagination"];
            };
            message: string;
            statusCode: number;
        };
        Alias: {
            alias: string;
            allow_path_override: boolean;
            /** @description 24 hexadecimal characters */
            container_id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description false as soon as `expires_at` has passed */
            enabled: boolean;
            expires_at: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description instance of a program; of `display` the number of the X display; for http, https and ssh the target port */
            index: number;
            /** @description without a port */
            program: string;
            /** @description 24 hexadecimal characters */
            project_id: string;
            /** @description 24 hexadecimal characters */
            server_id: string;
            server_name: string;
            subserver_name: string | null;
            target_path: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description https://<alias>.<server_name>.<container_domain> */
            url: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        AliasesReply: {
            data: {
                aliases: components["schemas"]["Alias"][];
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        AliasReply: {
            data: components["schemas"]["Alias"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        AliasSort: "created_at" | "-created_at" | "alias" | "-alias";
        AliasState: {
            enabled: boolean;
        };
        /** @enum {string} */
        AmountTimeSort: "created_at" | "-created_at" | "amount" | "-amount";
        ApiToken: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            expires_at: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            name: string;
            permissions: components["schemas"]["PermissionName"][];
            realm_id: string | null;
        };
        AppliedResources: {
            bandwidth_mbps?: number | null;
            cpu_cores: number | null;
            disk_bytes: number | null;
            memory_bytes: number | null;
            /** @description what this host cannot limit, or could not limit while the container runs */
            unenforced: ("cpu_cores" | "memory_bytes" | "disk_bytes" | "bandwidth_mbps")[];
        };
        /** @enum {string} */
        Architecture: "amd64" | "arm64" | "armhf" | "ppc64el" | "riscv64" | "s390x";
        /** @description whether its program works. What is left out is the image's, as with Docker */
        AskedHealthCheck: {
            /** @description a program and its arguments, run as the container's own program: with its user, variables and folder. Status 0 is healthy. No shell reads it; for a shell line, name the shell: `["sh", "-c", "…"]`. Empty: the check of the image */
            command?: string[];
            /** @description false: no check is run, also not that of the image */
            enabled?: boolean;
            interval_seconds?: number | null;
            /** @description true: a container that becomes unhealthy is stopped and started again, whatever its restart policy */
            restart?: boolean;
            retries?: number | null;
            start_period_seconds?: number | null;
            timeout_seconds?: number | null;
        };
        AskedPort: {
            /** @description 1 to 32 of a-z, 0-9 and hyphen; a letter first */
            name: string;
            /** @description on which the container listens */
            port: number;
            protocol?: components["schemas"]["PortProtocol"];
        };
        /** @description the most that the container may take; at most what its server has. What is left out, or null, is the host's standard, or what its server has where that is less; of bandwidth, what its server has */
        AskedResources: {
            bandwidth_mbps?: number | null;
            cpu_cores?: number | null;
            disk_bytes?: number | null;
            memory_bytes?: number | null;
        };
        AskedRestartPolicy: {
            max_retries?: number | null;
            name: components["schemas"]["RestartPolicyName"];
        };
        Attention: {
            count: number;
            /**
             * @description `hosts_not_heard_of`: silent or offline; `rentals_without_host`: rented servers whose host has not joined; `reservations_to_deliver`: paid, and not due yet
             * @enum {string}
             */
            kind: "actors_quarantined" | "partitions_without_owner" | "hosts_not_heard_of" | "tasks_failing" | "certificates_failing" | "rentals_without_host" | "reservations_overdue" | "reservations_to_deliver" | "payments_to_review";
            /** @description the first of them, as their page shows them; empty where they have no names */
            names: string[];
        };
        /** @enum {string} */
        AuditAct: "signed_up" | "signed_in" | "sign_in_failed" | "signed_out" | "session_ended" | "refresh_token_reused" | "password_changed" | "email_changed" | "second_factor_enabled" | "second_factor_disabled" | "recovery_codes_replaced" | "recovery_code_used" | "passkey_added" | "passkey_removed" | "device_approved" | "token_created" | "token_ended" | "recovered" | "impersonated" | "recovery_started" | "suspended" | "restored" | "account_deleted" | "role_changed" | "wallet_credited" | "charge_refunded" | "payment_review_resolved" | "reservation_delivered" | "reservation_cancelled" | "rental_terminated" | "notification_sent" | "notification_deleted";
        AuditEntry: {
            act: components["schemas"]["AuditAct"];
            by: string | null;
            by_id: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            data: {
                [key: string]: unknown;
            };
            /** @description 24 hexadecimal characters */
            id: string;
        };
        AuditReply: {
            data: {
                count: number;
                entries: components["schemas"]["AuditEntry"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        AutoExtend: {
            /** @description by how many days at a time; one of the lengths of `renewal_prices` */
            additional_days: number;
            /** @description the most that one extension may cost, in cents */
            max_charge_cents: number;
        };
        AutoExtension: {
            /** @description days */
            additional_days: number;
            last_failure: {
                /** @description `INSUFFICIENT_BALANCE`; `CHARGE_EXCEEDS_MAX`: the price is above `max_charge_cents`; `PRICE_NOT_FOUND`: the length has no price any more; `UNAVAILABLE`: the wallet could not be asked */
                code: string;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                failed_at: string;
                price_cents: number | null;
            } | null;
            /** @description cents: the most that one extension may cost */
            max_charge_cents: number;
            next_at: string | null;
            price_cents: number | null;
        };
        AvailableServer: {
            /** @description true: its host has not joined yet, and an operator sets it up after it is rented. The rent is charged at once; a container on it is refused (409 HOST_NOT_JOINED) until its host joins, which is when the paid time begins */
            delivered_by_hand: boolean;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description true: a part of a physical server, on which other tenants have containers too */
            is_subserver: boolean;
            name: string;
            pricing: {
                /** @constant */
                currency: "USD";
                /** @description days of rent → price */
                price_tiers: {
                    [key: string]: {
                        /** @description cents */
                        price: number;
                        /** @description USD */
                        price_per_day: number;
                        /** @description cents */
                        setup_fee: number;
                        /** @description cents: price and setup fee; the total that `max_charge_cents` limits */
                        total_first_payment: number;
                    };
                };
                /** @description cents */
                setup_fee_cents: number;
            };
            specs: components["schemas"]["ServerSpecs"];
            total_storage_gb: number;
            unlimited_traffic: boolean;
        };
        AvailableServersReply: {
            data: components["schemas"]["AvailableServer"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        /** @description 502: `code` says why */
        BadGatewayError: {
            /** @enum {string} */
            code: "CODEHOST_FAILED" | "COMMAND_FAILED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 502;
        };
        /** @description 400: `code` says why */
        BadRequestError: {
            /** @enum {string} */
            code: "AUTHORIZATION_PENDING" | "CHALLENGE_INVALID" | "CODEHOST_DENIED" | "CODEHOST_LINK_INVALID" | "DEVICE_CODE_INVALID" | "ENROLMENT_INVALID" | "IMAGE_ALREADY_OWNED" | "IMAGE_NOT_FREE" | "INSUFFICIENT_BALANCE" | "INVALID_ALIAS_FORMAT" | "INVALID_CSV" | "INVALID_ICON_FORMAT" | "INVALID_SIGNATURE" | "PASSKEY_INVALID" | "RECOVERY_INVALID" | "SLOW_DOWN" | "VALIDATION_ERROR";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 400;
        };
        Balances: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_limit: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_remaining: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            ai_usage: string;
            /**
             * @description Unless it is `live`, ai_usage and ai_remaining are unknown and shown as zero, and no credit may be treated as spendable. `live`: just read from the provider; `no_provider`: the platform has no provider of AI credit; `no_key`: there is no key at the provider, because no credit has been transferred yet; `pending`: credit was transferred, but its key has not been created yet; `unavailable`: the provider did not answer in time
             * @example live
             */
            ai_usage_status: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            general_balance: string;
        };
        BalancesReply: {
            data: components["schemas"]["Balances"];
            message: string;
            statusCode: number;
        };
        BeginDeviceSignIn: {
            /** @description not blank, without control characters and without those that change the direction of text */
            client_name: string;
        };
        BilledParty: {
            address_lines: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            city: string;
            /**
             * @description ISO 3166-1 code
             * @example DE
             */
            country: string;
            /** @description the name of a person or of a company */
            name: string;
            postal_code: string | null;
            vat_id: string | null;
        };
        BillingDetails: {
            address_lines?: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            city?: string;
            /**
             * @description ISO 3166-1 code
             * @example DE
             */
            country?: string;
            /** @description the name of a person or of a company */
            name?: string;
            /**
             * @description in words
             * @example Wallet balance
             */
            payment_method: string;
            /** @description `wallet`, `credit` or `bonus` for the platform's own, else the provider: `cardpay`, `cryptopay` */
            payment_method_type: string;
            postal_code?: string | null;
            vat_id?: string | null;
        };
        BillingDetailsReply: {
            data: {
                billing_details: components["schemas"]["BilledParty"] | null;
            };
            message: string;
            statusCode: number;
        };
        BonusClaim: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            amount_usd: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description 24 hexadecimal characters */
            transaction_id: string;
        };
        BonusStatus: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            amount_usd?: string;
            claim?: components["schemas"]["BonusClaim"] | null;
            claimed?: boolean;
            codehost_linked?: boolean;
            codehost_username?: string | null;
            enabled: boolean;
            identity_claimed_elsewhere?: boolean;
            /** @description the repository that the bonus is for */
            repo?: string;
        };
        BonusStatusReply: {
            data: components["schemas"]["BonusStatus"];
            message: string;
            statusCode: number;
        };
        Buyer: {
            email: string;
            username: string;
        };
        CatalogueImage: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            added_date: string;
            alias: string;
            architecture: string;
            /** @description rounded to the hundredth; 0: no ratings */
            average_rating: number;
            command: string[];
            description: string;
            /** @description path of its icon */
            icon_url: string;
            /** @description 24 hexadecimal characters */
            id: string;
            image_name: string;
            os: string;
            /** @description how far the hosts are with `prespawn` */
            prepared: {
                /** @description hosts that cannot pull it */
                error: number;
                /** @description hosts that are pulling it */
                pulling: number;
                /** @description hosts that have it */
                ready: number;
                reason: string | null;
            };
            prespawn: boolean;
            /** @description USD; 0: free */
            price: number;
            public: boolean;
            rating_count: number;
            reference: string;
            release: string;
            serial: string;
            /** @description bytes */
            size: number;
            tags: string[];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            variant: string;
        };
        CatalogueImageReply: {
            data: components["schemas"]["CatalogueImage"];
            message: string;
            statusCode: number;
        };
        CatalogueImagesReply: {
            data: {
                images: components["schemas"]["CatalogueImage"][];
                pagination: components["schemas"]["CursorPagination"];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        CertificatePurpose: "gateway" | "edge" | "name";
        CertificateRecord: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            error: string | null;
            /** @description orders that failed since the last success */
            failures: number;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description the domain name, also with `*` as its first label */
            name: string;
            /**
             * @description when it is ordered or renewed next
             * @example 2026-01-31T09:30:00.000Z
             */
            next_try_at: string;
            not_after: string | null;
            not_before: string | null;
            purpose: components["schemas"]["CertificatePurpose"];
            state: components["schemas"]["CertificateState"];
            user_id: string | null;
        };
        CertificateReply: {
            data: components["schemas"]["CertificateRecord"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        CertificateSort: "not_after" | "-not_after" | "created_at" | "-created_at" | "name" | "-name" | "failures" | "-failures";
        CertificatesReply: {
            data: {
                certificates: components["schemas"]["CertificateRecord"][];
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        /**
         * @description issued: in use, and renewed in time; pending: the first order has not ended; failing: the last order failed, and the certificate of before stays in use until it ends
         * @enum {string}
         */
        CertificateState: "issued" | "pending" | "failing";
        ChangeEmail: {
            /** @description the present password */
            current_password: string;
            /** @description an e-mail address, such as ann@example.com */
            email: string;
        };
        ChangeHost: {
            draining: boolean;
        };
        ChangeImage: {
            /** @description not blank, without control characters and without those that change the direction of text */
            alias?: string;
            architecture?: components["schemas"]["Architecture"];
            /** @description the command of its containers, as argv; empty: none */
            command?: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            description?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            image_name?: string;
            /** @description debian */
            os?: string;
            /** @description whether every host pulls its `reference` ahead and keeps it, so that a new container waits for no pull; needs a `reference` */
            prespawn?: boolean;
            /**
             * @description an amount in USD with at most two decimals, such as 25 or 25.50
             * @example 25.00
             */
            price?: string;
            /** @description whether the catalogue lists it */
            public?: boolean;
            /** @description what its containers are made of: `[registry/]name[:tag][@sha256:…]`; empty: the programs of their host */
            reference?: string;
            /** @description a release of the operating system that the platform carries: debian 13 */
            release?: string;
            /** @description without control characters and without those that change the direction of text */
            serial?: string;
            /** @description bytes */
            size?: number;
            tags?: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            variant?: string;
        };
        ChangeMember: {
            role: components["schemas"]["MemberRole"];
        };
        ChangeOffer: {
            /** @description hours from the order to the delivery */
            lead_time_hours?: number;
            /** @description not blank, without control characters and without those that change the direction of text */
            name?: string;
            pricing_rules?: components["schemas"]["Prices"];
            /** @description cents */
            setup_fee_cents?: number;
            setup_fee_rules?: components["schemas"]["Prices"];
            specs?: components["schemas"]["ServerSpecs"];
        };
        ChangePassword: {
            /** @description the present password */
            current_password: string;
            new_password: string;
        };
        ChangePaymentMethod: {
            details?: components["schemas"]["Details"];
            /** @description true for exactly one of your methods, as soon as you have any: the one that an application should offer first. With true, the former default loses the mark. Berth charges no saved method: top-ups are paid on the processor's own page */
            is_default?: boolean;
            /** @description whether you use it: a mark of your own, with no effect. Berth charges no saved method: top-ups are paid on the processor's own page */
            status?: components["schemas"]["PaymentMethodStatus"];
        };
        ChangePool: {
            description?: string;
            /** @description free-form; at most 16 KiB as JSON */
            settings?: {
                [key: string]: unknown;
            };
        };
        ChangeServer: {
            /** @description true: it can be rented before its host has joined, because an operator sets it up for whoever rents it; false when left out */
            delivered_by_hand?: boolean;
            prices?: components["schemas"]["Prices"];
            /** @description cents */
            setup_fee_cents?: number;
            specs?: components["schemas"]["ServerSpecs"];
        };
        ChangeUser: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge?: string;
            /** @description the six digits that the app shows now, or a recovery code. Each is good once */
            code?: string;
            /** @description the present password */
            current_password: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
            /** @description not blank, without control characters and without those that change the direction of text */
            reason: string;
            role: components["schemas"]["UserRole"];
        };
        ChargedRentalReply: {
            data: {
                auto_extension: components["schemas"]["AutoExtension"] | null;
                /** @description true: an operator sets the server up, and the paid time begins when its host joins. Until then nothing ends: `rental_start` and `rental_end` are as if it had begun with the payment, and move when it does */
                awaits_delivery: boolean;
                /** @description cents */
                charged_cents: number;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                /** @description whether the server's host has joined, so that containers can run there; false: an operator still sets it up, and `server.updated` with `host_joined` says when it is ready */
                host_joined: boolean;
                /** @description 24 hexadecimal characters */
                id: string;
                pool_id: string | null;
                renewal_prices: components["schemas"]["Prices"] | null;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                rental_end: string;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                rental_start: string;
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                specs: components["schemas"]["ServerSpecs"];
                status: components["schemas"]["RentalStatus"];
                transaction_id: string | null;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                updated_at: string;
                /** @description 24 hexadecimal characters */
                user_id: string;
            };
            message: string;
            statusCode: number;
        };
        CheckoutReply: {
            data: {
                checkout_url: string | null;
                intent: components["schemas"]["PaymentIntent"];
            };
            message: string;
            statusCode: number;
        };
        ClaimOutcome: {
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            amount_usd?: string;
            claim?: components["schemas"]["BonusClaim"];
            /** @enum {string} */
            result: "granted" | "already_claimed" | "identity_claimed_elsewhere" | "not_linked" | "offer_ended" | "retry" | "error";
            /** @description 24 hexadecimal characters */
            transaction_id?: string;
        };
        ClaimReply: {
            data: components["schemas"]["ClaimOutcome"];
            message: string;
            statusCode: number;
        };
        CleanupEvents: {
            retention_days: number;
        };
        ClusterReply: {
            data: {
                /** @description actor hosts that are alive */
                hosts: {
                    host: string;
                    /** @description as of its latest renewal */
                    status: {
                        /** @description actors in memory */
                        actors: number;
                        /** @description duration of its latest commits, milliseconds */
                        commit_ms: {
                            /** @description commits since the host started */
                            commits: number;
                            p50: number;
                            p95: number;
                        };
                        /** @description partitions that the host owns */
                        partitions: number;
                        /** @description actors that are quarantined because their records cannot be read, `kind/id` */
                        quarantined: string[];
                        /** @description requests that wait for their actor */
                        queued: number;
                        /** Format: date-time */
                        started_at: string;
                        /** @description timers and messages between actors that are in progress or begin within a minute */
                        tasks: number;
                        /** @description tasks that failed and are retried */
                        tasks_failing: number;
                        /** @description committed effects that are not delivered yet */
                        undelivered: number;
                        /** @description of its program; versions before this one do not say it */
                        version?: string;
                    } | null;
                }[];
                partitions: {
                    /** @description raised at every change of owner */
                    epoch: number;
                    /** @description the owner has not renewed in time: the partition is free */
                    expired: boolean;
                    owner: string | null;
                    /** @description its number, from 0 on */
                    partition: number;
                    /** @description effects in the outbox without a confirmed delivery */
                    undelivered: number;
                }[];
            };
            message: string;
            statusCode: number;
        };
        CommandResult: {
            duration_ms: number;
            encoding: components["schemas"]["TextEncoding"];
            exit_status: number | null;
            stderr: string;
            stdout: string;
            /** @description true: it took longer than `timeout_seconds`, and was ended */
            timed_out: boolean;
            /** @description true: it wrote more than 256 KiB to stdout or to stderr, and was ended */
            truncated: boolean;
        };
        CommandResultReply: {
            data: components["schemas"]["CommandResult"];
            message: string;
            statusCode: number;
        };
        /** @description where it stands in the file */
        ComposePlace: {
            line: number | null;
            path: string;
        };
        /** @description 409: `code` says why */
        ConflictError: {
            /** @enum {string} */
            code: "ACCOUNT_IN_USE" | "ACCOUNT_STATE_CONFLICT" | "ALIAS_EXPIRED" | "ALIAS_IN_USE" | "ALIAS_RESERVED" | "ALREADY_INVITED" | "ALREADY_MEMBER" | "BALANCE_LEFT" | "BALANCE_LIMIT" | "CHARGE_CONFIRMATION_REQUIRED" | "CHARGE_EXCEEDS_MAX" | "CHARGE_MISMATCH" | "COMMAND_RESULT_GONE" | "CONTAINER_PERMISSION_LIMIT" | "CONTAINER_ROLE_EXISTS" | "CONTAINER_STATE_CONFLICT" | "DEFAULT_POOL" | "DOMAIN_IN_USE" | "EMAIL_TAKEN" | "ENROLMENT_UNAVAILABLE" | "EXTENSION_ALREADY_APPLIED" | "FIREWALL_BYTE_LIMIT" | "FIREWALL_RULE_EXISTS" | "HOST_DRAINING" | "HOST_IN_USE" | "HOST_NOT_JOINED" | "IDEMPOTENCY_KEY_REUSED" | "INBOX_LIMIT" | "LAST_ADMINISTRATOR" | "MAIL_NOT_CONFIGURED" | "NAME_TAKEN" | "NOT_REFUNDABLE" | "PASSKEYS_UNAVAILABLE" | "PASSKEY_EXISTS" | "PASSKEY_LIMIT" | "PAYMENT_PROVIDER_DISABLED" | "PAYMENT_STATE_CONFLICT" | "POOL_NOT_EMPTY" | "POOL_OWNER" | "PROJECT_NOT_EMPTY" | "REFUND_EXCEEDS_CHARGE" | "RENTAL_ENDED" | "RESERVATION_STATE_CONFLICT" | "REVIEW_NOT_CREDITABLE" | "REVIEW_RESOLVED" | "SECRETS_NOT_CONFIGURED" | "SERVER_IN_USE" | "SERVER_NOT_AVAILABLE" | "SERVER_SMALLER_THAN_ORDERED" | "SERVER_STORAGE_EXCEEDED" | "SETUP_FEE_CONFIRMATION_REQUIRED" | "SHARED_HOST" | "STOCK_CHANGED" | "STORAGE_SHARE_IN_USE" | "STORAGE_SHARE_MOUNTED" | "STORAGE_SHARE_STATE_CONFLICT" | "STORAGE_SNAPSHOT_LIMIT" | "TRANSFER_FEE_CHANGED" | "TRANSFER_IDEMPOTENCY_KEY_REUSED" | "USERNAME_TAKEN" | "WEBHOOK_DISABLED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 409;
        };
        Container: {
            address: string | null;
            /** @description empty: the image's own, unless there is a `command` */
            args: string[];
            /** @description empty: the image's own entry point */
            command: string[];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            driver: string | null;
            /** @description values of secrets are never shown */
            env: components["schemas"]["EnvVariable"][];
            error: string | null;
            exit: components["schemas"]["ContainerExit"] | null;
            firewall: components["schemas"]["FirewallApplied"];
            health: components["schemas"]["ContainerHealth"] | null;
            health_check: components["schemas"]["HealthCheck"];
            /** @description 24 hexadecimal characters */
            id: string;
            image: components["schemas"]["ContainerImage"] | null;
            image_id: string | null;
            labels: {
                [key: string]: string;
            };
            name: string;
            ports: components["schemas"]["ContainerPort"][];
            /** @description 24 hexadecimal characters */
            project_id: string;
            resources: {
                applied: components["schemas"]["AppliedResources"] | null;
                bandwidth_mbps?: number | null;
                cpu_cores: number | null;
                disk_bytes: number | null;
                memory_bytes: number | null;
            };
            restart_policy: components["schemas"]["RestartPolicy"];
            /** @description what has changed since the container was started, its volumes included: a restart applies it */
            restart_required: ("name" | "command" | "args" | "env" | "volumes")[];
            /** @description how often it has ended by itself and started again, since it was last started or restarted by request */
            restarts: number;
            /** @description counts the changes by PATCH; the `ETag` for `If-Match`. It does not change with the container's state */
            revision: number;
            /** @description 24 hexadecimal characters */
            server_id: string;
            server_name: string;
            services: components["schemas"]["ServiceUrls"];
            state: components["schemas"]["ContainerState"];
            stop_grace_seconds: number;
            stop_signal: string | null;
            subserver_name: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
            /** @description storage shares, mounted at its next start: a running container keeps those of its last start */
            volumes: components["schemas"]["Volume"][];
        };
        ContainerAccess: {
            /** @description for `Authorization: Bearer`, or once as `?access_token=`, at this container's addresses alone */
            access_token: string;
            /** @description with `services` that are not null: the enabled aliases for these, the first hundred, by which you enter those without an address of their own; left out if `services` is null */
            aliases?: {
                /** @description the service */
                program: string;
                url: string;
            }[];
            /** @description seconds */
            expires_in: number;
            services: string[] | null;
            urls: components["schemas"]["AccessUrls"];
        };
        ContainerAccessReply: {
            data: components["schemas"]["ContainerAccess"];
            message: string;
            statusCode: number;
        };
        ContainerExit: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            /** @description true: the kernel ended a process of it, because it used more memory than it may */
            out_of_memory: boolean;
            /**
             * @description in words
             * @example its command was ended by SIGKILL: out of memory
             */
            reason: string;
            signal: string | null;
            status: number | null;
        };
        ContainerHealth: {
            message: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
            /**
             * @description `starting`: no check has succeeded yet, and not enough have failed to call it unhealthy
             * @enum {string}
             */
            state: "starting" | "healthy" | "unhealthy";
        };
        ContainerImage: {
            digest: string | null;
            /** @description `80/tcp`: what the image says that it listens on */
            exposed_ports: string[];
            /** @description the image's labels, of the first 2048 characters */
            labels: {
                [key: string]: string;
            };
            /**
             * @description programs that the image declares by labels `berth.program.<name>`: an alias can lead to them. Absent until its host has pulled the image
             * @example [
             *       "code",
             *       "display"
             *     ]
             */
            programs?: string[];
            /** @description how far the host is with pulling it */
            pulled_bytes: number;
            /** @description the whole reference: registry, name, tag, digest */
            reference: string;
            /**
             * @description `waiting`: its host has not begun to pull it
             * @enum {string}
             */
            state: "waiting" | "pulling" | "ready" | "error";
            /** @description what there is to pull; once it is ready, what it takes on the host's disk. 0: not known yet */
            total_bytes: number;
        };
        ContainerLog: {
            /** @description the place after the last line. Send it to read on, now or when there are new lines */
            cursor: string;
            /** @description true: lines between `cursor` of the request and the first line here are lost, since the log was full */
            dropped: boolean;
            /** @description true: there are more lines after `cursor` already */
            has_more: boolean;
            /** @description oldest first */
            lines: components["schemas"]["LogLine"][];
        };
        ContainerLogReply: {
            data: components["schemas"]["ContainerLog"];
            message: string;
            statusCode: number;
        };
        ContainerMetrics: {
            /**
             * @description the asked time, brought down to a whole step
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            series: components["schemas"]["MetricsSeries"];
            step_seconds: number;
            /**
             * @description the asked time, brought up to a whole step
             * @example 2026-01-31T09:30:00.000Z
             */
            to: string;
        };
        ContainerMetricsReply: {
            data: components["schemas"]["ContainerMetrics"];
            message: string;
            statusCode: number;
        };
        ContainerPermission: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            expires_at: string | null;
            /** @description the id of the user who granted it */
            granted_by: string;
            /** @description the user's id */
            id: string;
            services: components["schemas"]["PermittedServices"];
            username: string;
        };
        ContainerPermissionReply: {
            data: components["schemas"]["ContainerPermission"];
            message: string;
            statusCode: number;
        };
        ContainerPermissionsReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                permissions: components["schemas"]["ContainerPermission"][];
            };
            message: string;
            statusCode: number;
        };
        ContainerPort: {
            /** @description 1 to 32 of a-z, 0-9 and hyphen; a letter first */
            name: string;
            /** @description on which the container listens */
            port: number;
            protocol: components["schemas"]["PortProtocol"];
        };
        ContainerReply: {
            data: components["schemas"]["Container"];
            message: string;
            statusCode: number;
        };
        ContainersReply: {
            data: {
                containers: components["schemas"]["Container"][];
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        ContainerState: "creating" | "running" | "stopped" | "error" | "deleted";
        ContainerUsage: {
            cpu_percent: number | null;
            /** @description 24 hexadecimal characters */
            id: string;
            memory_bytes: number | null;
        };
        CorrectedSale: {
            invoice_number: string | null;
            /** @description what was sold */
            reason: string;
        };
        CountedPagination: {
            /** @description how many this page has at most */
            limit: number;
            next_cursor: components["schemas"]["NextCursor"];
            /** @description how many match, on all pages */
            total: number;
        };
        CreateAlias: {
            /** @description 3 to 61 of a-z, 0-9 and hyphen, which is neither first nor last; null or false: a generated label of 48 hexadecimal characters */
            alias?: string | null | false;
            allow_path_override?: boolean;
            /** @description 24 hexadecimal characters */
            container_id: string;
            enabled?: boolean;
            expires_at?: string | null;
            /** @description instance of a program; of `display` the number of the X display; for http, https and ssh the target port */
            index?: number;
            /** @description target port of http, https and ssh, or the name of one of the container's `ports`, whose number it has at this moment; takes precedence over `index` and over a port in `program` */
            port?: number | string;
            /** @description `terminal`, `pipe`, `notifications`, `files`, a program that the container's image declares, such as `code` or `display`; or `http`, `https` or `ssh`, which may carry a port: `http:8080` */
            program: string;
            target_path?: string | null;
        };
        CreateContainer: {
            /** @description arguments of `command`, or of the image's entry point in place of the image's own. Empty: the image's own */
            args?: string[];
            /** @description the program and its first arguments, in place of the image's entry point; the image's own arguments are left out then. Empty: the image's own */
            command?: string[];
            env?: components["schemas"]["Env"];
            health_check?: components["schemas"]["AskedHealthCheck"];
            /**
             * @description in place of `image_id`, any image by its reference, with Docker's meaning: `[registry/]name[:tag][@sha256:…]`. The container keeps what the tag meant when it was created, until a newer image is asked for
             * @example debian:13
             * @example ghcr.io/example/app:1.2
             */
            image?: string;
            /** @description 24 hexadecimal characters */
            image_id?: string;
            labels?: components["schemas"]["Labels"];
            /** @description 1 to 63 characters of a-z, 0-9 and hyphen; the hyphen neither first nor last */
            name: string;
            /** @description names for ports, which aliases can use in place of a number; `protocol` is `http` unless told. They open nothing: access is a matter of the firewall and the aliases */
            ports?: components["schemas"]["AskedPort"][];
            /** @description 24 hexadecimal characters */
            project_id: string;
            resources?: components["schemas"]["AskedResources"];
            restart_policy?: components["schemas"]["AskedRestartPolicy"];
            /** @description 24 hexadecimal characters */
            server_id: string;
            /** @description how long it may take to end when it is stopped, before it is killed; 5 unless told */
            stop_grace_seconds?: number;
            stop_signal?: components["schemas"]["StopSignal"];
            /** @description storage shares of the container's project on its server, and where they are mounted from its next start on */
            volumes?: components["schemas"]["VolumeRequest"][];
        };
        CreateHost: {
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description a DNS label: the name of the server of the stock whose containers run on it */
            name: string;
        };
        CreateImage: {
            /** @description not blank, without control characters and without those that change the direction of text */
            alias: string;
            architecture: components["schemas"]["Architecture"];
            /** @description the command of its containers, as argv; empty: none */
            command?: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            description: string;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            image_name: string;
            /** @description debian */
            os: string;
            /** @description whether every host pulls its `reference` ahead and keeps it, so that a new container waits for no pull; needs a `reference` */
            prespawn?: boolean;
            /**
             * @description an amount in USD with at most two decimals, such as 25 or 25.50
             * @example 25.00
             */
            price: string;
            /** @description whether the catalogue lists it */
            public?: boolean;
            /** @description what its containers are made of: `[registry/]name[:tag][@sha256:…]`; empty: the programs of their host */
            reference?: string;
            /** @description a release of the operating system that the platform carries: debian 13 */
            release: string;
            /** @description without control characters and without those that change the direction of text */
            serial?: string;
            /** @description bytes */
            size?: number;
            tags?: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            variant: string;
        };
        CreateNotification: {
            body: string;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            level?: components["schemas"]["Level"];
            public?: boolean;
            title: string;
            /** @description 24 hexadecimal characters */
            user_id?: string;
        };
        CreateOffer: {
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description hours from the order to the delivery */
            lead_time_hours: number;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
            pricing_rules: components["schemas"]["Prices"];
            /** @description cents */
            setup_fee_cents?: number;
            setup_fee_rules?: components["schemas"]["Prices"];
            specs: components["schemas"]["ServerSpecs"];
        };
        CreatePasskey: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
            passkey: components["schemas"]["PasskeyRegistration"];
        };
        CreatePaymentMethod: {
            details?: components["schemas"]["Details"];
            /** @description true for exactly one of your methods, as soon as you have any: the one that an application should offer first. Your first method is the default in any case. With true, the former default loses the mark. Berth charges no saved method: top-ups are paid on the processor's own page */
            is_default?: boolean;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            type: string;
        };
        CreatePool: {
            description?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
            /** @description free-form; at most 16 KiB as JSON */
            settings?: {
                [key: string]: unknown;
            };
        };
        CreateProject: {
            /** @description any text, also of several lines */
            description?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
        };
        CreateServer: {
            /** @description true: it can be rented before its host has joined, because an operator sets it up for whoever rents it; false when left out */
            delivered_by_hand?: boolean;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description `dedicated` when left out: for one tenant. `shared` (divided into subservers) and `system` are not for rent */
            kind?: components["schemas"]["ServerKind"];
            /** @description a DNS label */
            name: string;
            parent_id?: string | null;
            prices?: components["schemas"]["Prices"];
            /** @description cents */
            setup_fee_cents?: number;
            specs: components["schemas"]["ServerSpecs"];
        };
        CreateSnapshot: {
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name?: string;
        };
        CreateStorageShare: {
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
            /** @description 24 hexadecimal characters */
            project_id: string;
            /** @description 24 hexadecimal characters */
            server_id: string;
            /**
             * @description the size limit in bytes, file names and tables of the file system included. It can grow, and does not shrink
             * @example 1073741824
             */
            size_bytes: number;
        };
        CreateToken: {
            expires_at?: string | null;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            name: string;
            permissions: components["schemas"]["PermissionName"][];
            realm_id?: string | null;
        };
        CreateWebhook: {
            description?: string;
            event_types?: components["schemas"]["EventType"][] | null;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /**
             * @description an https address without user name, password and fragment; http only where the operator allows its network
             * @example https://example.com/hooks/berth
             */
            url: string;
        };
        Credit: {
            /**
             * @description an amount in USD with at most two decimals, such as 25 or 25.50
             * @example 25.00
             */
            amount: string;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            reason: string;
        };
        CreditReply: {
            data: {
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                amount: string;
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                general_balance: string;
                /** @description the key was used before; no money moved */
                replayed: boolean;
                /** @description 24 hexadecimal characters */
                transaction_id: string;
            };
            message: string;
            statusCode: number;
        };
        CryptoInvoiceReply: {
            data: {
                intent: components["schemas"]["PaymentIntent"];
                invoice_url: string | null;
            };
            message: string;
            statusCode: number;
        };
        CursorPagination: {
            /** @description how many this page has at most */
            limit: number;
            next_cursor: components["schemas"]["NextCursor"];
        };
        DeleteAccount: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge?: string;
            /** @description the six digits that the app shows now, or a recovery code. Each is good once */
            code?: string;
            /** @description the present password */
            current_password: string;
            /**
             * @description the most of the general balance, in USD, that may be given up; left out: the balance must be zero
             * @example 12.50
             */
            forfeit_balance?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        DeleteEvents: {
            /** @description true: no filter is needed */
            all?: boolean;
            /** @description RFC 3339; events before it */
            before_date?: string;
            event_type?: components["schemas"]["EventType"];
            /** @description 24 hexadecimal characters */
            realm_id?: string;
            /** @description 24 hexadecimal characters */
            resource_id?: string;
            resource_type?: components["schemas"]["ResourceType"];
        };
        DeleteUser: {
            /**
             * @description the most of the general balance, in USD, that may be given up; left out: the balance must be zero
             * @example 12.50
             */
            forfeit_balance?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            reason: string;
        };
        DeliveriesReply: {
            data: {
                count: number;
                deliveries: components["schemas"]["WebhookDelivery"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        DeliveryQueuedReply: {
            data: {
                /** @description id of the delivery in the log */
                delivery_id: string;
            };
            message: string;
            statusCode: number;
        };
        DeliveryReply: {
            data: {
                attempts: number;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                duration_ms: number | null;
                error: string | null;
                /** @description an event type, or `webhook.test` */
                event_type: string;
                finished_at: string | null;
                /** @description 24 hexadecimal characters */
                id: string;
                last_attempt_at: string | null;
                /** @description the header `webhook-id`: the event's id, also of a redelivery; of a test an id of its own */
                message_id: string;
                next_attempt_at: string | null;
                /** @description the body of the request, as it is signed */
                payload: string;
                response_body: string | null;
                response_status: number | null;
                status: components["schemas"]["DeliveryStatus"];
                /** @description 24 hexadecimal characters */
                webhook_id: string;
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /**
         * @description free-form, at most 4096 bytes of JSON and 4 levels. For a card (card, credit_card, debit_card, prepaid_card) only last4, brand, exp_month and exp_year are stored, and other keys are refused. A body with a card number or a security code anywhere in it is refused
         * @example {
         *       "last4": "4242",
         *       "brand": "visa",
         *       "exp_month": 12,
         *       "exp_year": 2031
         *     }
         */
        Details: {
            [key: string]: unknown;
        };
        DeviceSignIn: {
            address: string | null;
            /** @description as the program names itself */
            client_name: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
            status: components["schemas"]["DeviceSignInStatus"];
            user_agent: string | null;
            user_code: string;
        };
        DeviceSignInBegunReply: {
            data: {
                /** @description for `POST /api/v1/auth/device/token`; nobody else may know it */
                device_code: string;
                /** @description seconds */
                expires_in: number;
                /** @description seconds between two requests of the program */
                interval: number;
                /** @description what the person sees here and in the console */
                user_code: string;
                /** @description where the person approves it */
                verification_uri: string;
                /** @description the same with the code */
                verification_uri_complete: string;
            };
            message: string;
            statusCode: number;
        };
        DeviceSignInReply: {
            data: components["schemas"]["DeviceSignIn"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        DeviceSignInStatus: "pending" | "approved" | "denied" | "redeemed";
        /** @enum {string} */
        Direction: "ingress" | "egress";
        /**
         * @description `failing`: a delivery failed for a day and none succeeded; `too_far_behind`: too many deliveries waited
         * @enum {string}
         */
        DisabledReason: "by_owner" | "failing" | "too_far_behind";
        Domain: {
            /** @description the label of the alias */
            alias: string;
            /** @description 24 hexadecimal characters */
            alias_id: string;
            checked_at: string | null;
            /** @description the other proof: a CNAME of the domain that leads here */
            cname_target: string;
            /** @description 24 hexadecimal characters */
            container_id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            domain: string;
            error: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            next_check_at: string | null;
            proof: components["schemas"]["DomainProof"] | null;
            /** @description verified: visitors of the domain reach the alias; pending: the proof is looked for; failed: it was not found for too long, and is looked for again when you ask */
            state: components["schemas"]["DomainState"];
            /** @description one proof: a TXT record of this name … */
            txt_name: string;
            /** @description … with this value */
            txt_value: string;
            /** @description where visitors reach the alias by the domain */
            url: string;
            verified_at: string | null;
        };
        /** @enum {string} */
        DomainProof: "txt" | "cname";
        DomainReply: {
            data: components["schemas"]["Domain"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        DomainSort: "created_at" | "-created_at" | "domain" | "-domain";
        DomainsPageReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                domains: components["schemas"]["Domain"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        DomainsReply: {
            data: {
                domains: components["schemas"]["Domain"][];
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        DomainState: "pending" | "verified" | "failed";
        EmptyReply: {
            message: string;
            statusCode: number;
        };
        EnableTotp: {
            /** @description the six digits that the app shows now */
            code: string;
            setup: string;
        };
        EndedRental: {
            /**
             * @description USD as text: what is returned, that is what was paid for the rest of its time, less what was refunded of that payment before where not enough of it is left. A rental that was handed over without a payment, or that began before Berth noted payments, has 0.00
             * @example 475.00
             */
            refunded: string;
            /** @description 24 hexadecimal characters */
            rental_id: string;
            server_name: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
            username: string | null;
        };
        EndRental: {
            expected_rental_end: string;
        };
        EnrolHost: {
            /** @description the host that the agent's folder belongs to. A token of another host is refused, and stays good */
            expected_name?: string;
            facts: components["schemas"]["HostFacts"];
            /** @description public nkey of a NATS user */
            public_key: string;
            /** @description the one-time token of the host */
            token: string;
        };
        /**
         * @description variables: `{"NAME": "value"}`, or with secrets `[{"name": "NAME", "value": "…", "secret": true}]`. In a change, a secret without `value` keeps the value that it has
         * @example {
         *       "MODE": "production",
         *       "PASSWORD": {
         *         "value": "hunter2",
         *         "secret": true
         *       }
         *     }
         */
        Env: {
            /** @description 1 to 255 of A-Z, a-z, 0-9, `_`, `.` and `-`; a letter or `_` first */
            name: string;
            /** @description true: the value is stored encrypted, and no reply, event or log has it */
            secret?: boolean;
            /** @description any text, also of several lines */
            value?: string;
        }[] | {
            [key: string]: string | {
                /** @description true: the value is stored encrypted, and no reply, event or log has it */
                secret?: boolean;
                /** @description any text, also of several lines */
                value?: string;
            };
        };
        EnvVariable: {
            name: string;
            /** @constant */
            secret?: true;
            /** @description absent for a secret */
            value?: string;
        };
        EventRecord: {
            container_id: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            data: {
                [key: string]: unknown;
            };
            event_type: components["schemas"]["EventType"];
            /** @description 24 hexadecimal characters */
            id: string;
            project_id: string | null;
            realm_id: string | null;
            resource_id: string | null;
            resource_type: components["schemas"]["ResourceType"];
            user_id: string | null;
        };
        EventReply: {
            data: components["schemas"]["EventRecord"];
            message: string;
            statusCode: number;
        };
        EventsCleanedReply: {
            data: {
                /** @description the count at the time of the request */
                deleted_count: number;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                kept_since: string;
                retention_days: number;
            };
            message: string;
            statusCode: number;
        };
        EventsDeletedReply: {
            data: {
                /** @description the count at the time of the request */
                deleted_count: number;
            };
            message: string;
            statusCode: number;
        };
        EventsReply: {
            data: {
                events: components["schemas"]["EventRecord"][];
                pagination: {
                    /** @description true: the list has more than `total`, which counts the newest 10,000 */
                    capped?: boolean;
                    limit: number;
                    next_cursor: components["schemas"]["NextCursor"];
                    offset: number;
                    total: number;
                };
            };
            message: string;
            statusCode: number;
        };
        EventStatsReply: {
            data: {
                by_event_type: {
                    [key: string]: number;
                };
                by_resource_type: {
                    [key: string]: number;
                };
                newest_event: string | null;
                oldest_event: string | null;
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        EventType: "container.created" | "container.starting" | "container.running" | "container.stopping" | "container.stopped" | "container.restarting" | "container.restarted" | "container.recovered" | "container.error" | "container.deleted" | "container.terminal_opened" | "storage_share.created" | "storage_share.updated" | "storage_share.mounted" | "storage_share.unmounted" | "storage_share.deleted" | "notification.created" | "notification.read" | "notification.read_all" | "notification.deleted" | "project.created" | "project.updated" | "project.deleted" | "server.added" | "server.updated" | "server.removed" | "server.reserved" | "server.delivered" | "server.rented" | "server.extended" | "server.expired" | "server.released" | "server.price_changed" | "firewall.attached" | "firewall.rule_added" | "firewall.rule_enabled" | "firewall.rule_disabled" | "firewall.rule_removed" | "firewall.reset" | "firewall.applied" | "firewall.apply_failed" | "proxy_alias.created" | "proxy_alias.updated" | "proxy_alias.enabled" | "proxy_alias.disabled" | "proxy_alias.expired" | "proxy_alias.deleted" | "proxy_permissions.granted" | "proxy_permissions.revoked" | "auth_token.created" | "auth_token.revoked" | "auth_token.expired" | "pool.created" | "pool.updated" | "pool.deleted" | "pool.member_invited" | "pool.member_joined" | "pool.member_declined" | "pool.member_role_changed" | "pool.member_removed" | "user.signed_up" | "user.logged_in" | "user.logged_out" | "user.login_failed" | "user.session_revoked" | "user.balance_credited" | "user.credit_transferred" | "activity_log.payment_settled" | "activity_log.invoice_issued" | "activity_log.image_imported" | "activity_log.image_purchased";
        EverybodysEventsReply: {
            data: {
                count: number;
                events: components["schemas"]["EventRecord"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        Extend: {
            /** @description days */
            additional_days: number;
            /** @description the `rental_end` that the client last read: the extension applies only if it is unchanged */
            expected_rental_end: string;
            /** @description the most that may be charged, in cents; required unless the total is 0 */
            max_charge_cents?: number;
        };
        FactorAddedReply: {
            data: {
                /** @description the number of sessions that were begun without a second factor, and ended */
                ended: number;
                recovery_codes: string[] | null;
            };
            message: string;
            statusCode: number;
        };
        FirewallAddReply: {
            data: {
                action: components["schemas"]["Action"];
                description: string;
                destination?: string;
                destination_port?: string;
                direction: components["schemas"]["Direction"];
                firewall: components["schemas"]["FirewallApplied"];
                icmp_code?: string;
                icmp_type?: string;
                /** @description 24 hexadecimal characters */
                id: string;
                protocol: components["schemas"]["Protocol"];
                source?: string;
                source_port?: string;
                state: components["schemas"]["RuleState"];
            } | Record<string, never>;
            message: string;
            statusCode: number;
        };
        FirewallApplied: {
            /** @description the host has applied `revision` or a later one. False: not yet, as far as is known; it catches up by itself. For one revision it never turns from true to false on the same gateway; another gateway may learn of it a moment later */
            applied: boolean;
            /** @description the highest up to `revision` that the host has applied */
            applied_revision: number;
            /** @description whether the requested rules are in force. True also before the first request (`revision` 0): the container is open, as it should be. False: rules were requested, and the host cannot filter packets, has not reported yet that it does, or found its rules changed and cannot restore them (`error` says why) */
            enforced: boolean;
            /** @description why the host could not apply it */
            error: string | null;
            /** @description the revision that this is about: in the reply to a change that of the change, else the newest */
            revision: number;
        };
        FirewallListing: {
            /** @description whether the container has a firewall, from its first rule until `reset`; `defaults` says what it closes */
            attached: boolean;
            /** @description size of the serialised rules; a rule has the same size in both states */
            byte_count: number;
            /** @description what happens to a packet that no rule matches: `allow` both ways at first; from the first enabled ingress rule on, and until `reset`, `reject` incoming. Outgoing packets always pass unless a rule denies them */
            defaults: {
                egress: components["schemas"]["Action"];
                ingress: components["schemas"]["Action"];
            };
            egress: components["schemas"]["ListedRule"][];
            firewall: components["schemas"]["FirewallApplied"];
            ingress: components["schemas"]["ListedRule"][];
            max_bytes: number;
            max_rules: number;
            pagination: components["schemas"]["CursorPagination"];
            /** @description rules of both directions, on all pages */
            rule_count: number;
        };
        FirewallListingReply: {
            data: components["schemas"]["FirewallListing"];
            message: string;
            statusCode: number;
        };
        FirewallRemoveReply: {
            data: {
                direction: components["schemas"]["Direction"];
                firewall: components["schemas"]["FirewallApplied"];
                removed: components["schemas"]["FirewallRule"][];
                removed_count: number;
            };
            message: string;
            statusCode: number;
        };
        FirewallReplaceReply: {
            data: {
                egress: components["schemas"]["FirewallRule"][];
                firewall: components["schemas"]["FirewallApplied"];
                ingress: components["schemas"]["FirewallRule"][];
                rule_count: number;
            };
            message: string;
            statusCode: number;
        };
        FirewallResetReply: {
            data: {
                firewall: components["schemas"]["FirewallApplied"];
                rules: {
                    egress: components["schemas"]["FirewallRule"][];
                    ingress: components["schemas"]["FirewallRule"][];
                };
            };
            message: string;
            statusCode: number;
        };
        FirewallRule: {
            action: components["schemas"]["Action"];
            description: string;
            destination?: string;
            destination_port?: string;
            direction: components["schemas"]["Direction"];
            icmp_code?: string;
            icmp_type?: string;
            /** @description 24 hexadecimal characters */
            id: string;
            protocol: components["schemas"]["Protocol"];
            source?: string;
            source_port?: string;
            state: components["schemas"]["RuleState"];
        };
        FirewallToggleReply: {
            data: {
                direction: components["schemas"]["Direction"];
                firewall: components["schemas"]["FirewallApplied"];
                new_state: components["schemas"]["RuleState"];
                updated: components["schemas"]["FirewallRule"];
            };
            message: string;
            statusCode: number;
        };
        /** @description 403: `code` says why */
        ForbiddenError: {
            /** @enum {string} */
            code: "ACCOUNT_SUSPENDED" | "DEVICE_DENIED" | "FORBIDDEN_ORIGIN" | "INSUFFICIENT_PERMISSIONS" | "QUOTA_EXCEEDED" | "SECOND_FACTOR_SETUP_REQUIRED" | "SECOND_FACTOR_WRONG" | "WRONG_PASSWORD";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 403;
        };
        GeneralBalance: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            general_balance: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        GeneralBalanceReply: {
            data: components["schemas"]["GeneralBalance"];
            message: string;
            statusCode: number;
        };
        GrantPermission: {
            expires_at?: string | null;
            services?: components["schemas"]["PermittedServices"];
            /** @description 1 to 100 letters, digits, _ and - */
            username: string;
        };
        HealthCheck: {
            /** @description a program and its arguments, run as the container's own program: with its user, variables and folder. Status 0 is healthy. No shell reads it; for a shell line, name the shell: `["sh", "-c", "…"]`. Empty: the check of the image */
            command: string[];
            /** @description false: no check is run, also not that of the image */
            enabled: boolean;
            interval_seconds: number | null;
            /** @description true: a container that becomes unhealthy is stopped and started again, whatever its restart policy */
            restart: boolean;
            retries: number | null;
            start_period_seconds: number | null;
            timeout_seconds: number | null;
        };
        Holdings: {
            /** @description containers that are not deleted */
            containers: number;
            /** @description those that run */
            containers_running: number;
            /** @description machines that run an agent */
            hosts: number;
            /** @description those that answer */
            hosts_online: number;
            /** @description servers of the stock that are not retired */
            servers: number;
            /** @description those that are rented */
            servers_rented: number;
            /** @description accounts that are neither suspended nor deleted */
            users: number;
        };
        HostCredential: {
            container_domain: string;
            /** @description the credential for the agent's key; the agent renews it by itself */
            jwt: string;
            /** @description where the host reaches NATS */
            nats_url: string;
            server_name: string;
        };
        HostCredentialReply: {
            data: components["schemas"]["HostCredential"];
            message: string;
            statusCode: number;
        };
        HostFacts: {
            /** @description without control characters and without those that change the direction of text */
            agent_version: string;
            /** @description without control characters and without those that change the direction of text */
            architecture: string;
            /**
             * @description the control groups that the kernel offers
             * @enum {string}
             */
            cgroups: "v2" | "v1" | "none";
            cores: number;
            /** @description bytes, of the disk with the agent's folder */
            disk_bytes: number;
            /** @description bytes */
            disk_free_bytes: number;
            /**
             * @description `oci`: containers are isolated; `process`: they are plain processes without isolation
             * @enum {string}
             */
            driver: "oci" | "process";
            /** @description without control characters and without those that change the direction of text */
            kernel: string;
            /** @description bytes */
            memory_bytes: number;
            runtime?: string | null;
            /** @description what its kernel cannot limit: containers may take all of it; absent: its agent does not say */
            unlimited?: ("processes" | "memory" | "swap" | "cpu" | "disk_speed" | "bandwidth" | "part_bandwidth" | "user_counters")[];
        };
        HostRecord: {
            /** @description the containers on it that are not deleted */
            containers: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description true: no new container is placed on it */
            draining: boolean;
            enrolled_at: string | null;
            enrolment_expires_at: string | null;
            facts: components["schemas"]["HostFacts"] | null;
            /** @description 24 hexadecimal characters */
            id: string;
            last_seen_at: string | null;
            name: string;
            /** @description the images of the catalogue with `prespawn`, as its agent last reported them */
            prepared_images: components["schemas"]["PreparedImage"][];
            /** @description how many rent its server, or a part of it */
            rentals: number;
            status: components["schemas"]["HostStatus"];
            /** @description the storage shares on it that are not deleted */
            storage_shares: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        HostReply: {
            data: components["schemas"]["HostRecord"];
            message: string;
            statusCode: number;
        };
        HostsReply: {
            data: {
                hosts: components["schemas"]["HostRecord"][];
                pagination: components["schemas"]["CursorPagination"];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /**
         * @description `pending`: its agent has never been heard of; `silent`: it has missed two pings, 20 seconds at most after it last answered; `offline`: it was not heard of for a minute
         * @enum {string}
         */
        HostStatus: "pending" | "online" | "silent" | "offline";
        HostTokenReply: {
            data: {
                command: string | null;
                /** @description the containers on it that are not deleted */
                containers: number;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                /** @description true: no new container is placed on it */
                draining: boolean;
                enrolled_at: string | null;
                enrolment_expires_at: string | null;
                facts: components["schemas"]["HostFacts"] | null;
                /** @description 24 hexadecimal characters */
                id: string;
                last_seen_at: string | null;
                name: string;
                /** @description the images of the catalogue with `prespawn`, as its agent last reported them */
                prepared_images: components["schemas"]["PreparedImage"][];
                /** @description how many rent its server, or a part of it */
                rentals: number;
                status: components["schemas"]["HostStatus"];
                /** @description the storage shares on it that are not deleted */
                storage_shares: number;
                token: string | null;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                updated_at: string;
            };
            message: string;
            statusCode: number;
        };
        Impersonate: {
            reason: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        ImportReply: {
            data: Record<string, never>;
            message: string;
            statusCode: number;
        };
        InboxEntry: {
            body: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            event_id: string | null;
            event_type: components["schemas"]["EventType"] | null;
            /** @description 24 hexadecimal characters */
            id: string;
            level: components["schemas"]["Level"];
            page: string | null;
            public: boolean;
            read: boolean;
            realm_id: string | null;
            resource_id: string | null;
            resource_type: components["schemas"]["ResourceType"] | null;
            title: string;
            user_id: string | null;
        };
        IntentReply: {
            data: components["schemas"]["PaymentIntent"];
            message: string;
            statusCode: number;
        };
        IntentsReply: {
            data: {
                intents: components["schemas"]["PaymentIntent"][];
                pagination: components["schemas"]["CursorPagination"];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /** @description 500: `code` says why */
        InternalServerError: {
            /** @enum {string} */
            code: "INTERNAL_ERROR";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 500;
        };
        Invitation: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description user name */
            invited_by: string;
            /** @description 24 hexadecimal characters */
            pool_id: string;
            pool_name: string;
            role: components["schemas"]["MemberRole"];
            /** @enum {string} */
            status: "pending" | "accepted" | "rejected" | "withdrawn";
            /** @description 24 hexadecimal characters */
            user_id: string;
            username: string;
        };
        InvitationReply: {
            data: components["schemas"]["Invitation"];
            message: string;
            statusCode: number;
        };
        InvitationsReply: {
            data: components["schemas"]["Invitation"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        InviteMember: {
            role: components["schemas"]["MemberRole"];
            /** @description 1 to 100 letters, digits, _ and - */
            username: string;
        };
        Invoice: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            billing_details: components["schemas"]["BillingDetails"];
            buyer: components["schemas"]["Buyer"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            credit_note_for: components["schemas"]["CorrectedSale"] | null;
            /** @example USD */
            currency: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            due_date: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /**
             * @description without gaps within the year of issue: `INV-` for invoices, `CN-` for credit notes, each in a series of its own
             * @example INV-2026-000001
             */
            invoice_number: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            issue_date: string;
            /** @description their amounts add up to the invoice's amount */
            items: components["schemas"]["InvoiceItem"][];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            paid_date: string;
            seller: components["schemas"]["Seller"];
            /** @description `paid` */
            status: string;
            transaction: components["schemas"]["InvoicedTransaction"];
            /** @description 24 hexadecimal characters */
            transaction_id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        InvoicedTransaction: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            currency: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /**
             * @description what was bought, returned or added
             * @example small-2 for 7 more days
             */
            reason: string;
            status: string;
            transaction_type: components["schemas"]["TransactionType"];
        };
        InvoiceItem: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            description: string;
            /** @description the transaction's type; for a transfer `ai_credit` and `fee` */
            type: string;
        };
        InvoiceReply: {
            data: components["schemas"]["Invoice"];
            message: string;
            statusCode: number;
        };
        InvoicesReply: {
            data: {
                invoices: components["schemas"]["ListedInvoice"][];
                pagination: components["schemas"]["Pagination"];
            };
            message: string;
            statusCode: number;
        };
        IssuedInvoice: {
            /** @description 24 hexadecimal characters */
            invoice_id: string;
            invoice_number: string;
        };
        IssuedInvoiceReply: {
            data: components["schemas"]["IssuedInvoice"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        KeptRecord: "invoices" | "transactions" | "audit";
        /**
         * @description up to 64 labels of your own, by which containers can be listed
         * @example {
         *       "app": "shop",
         *       "stage": "test"
         *     }
         */
        Labels: {
            [key: string]: string;
        };
        /** @enum {string} */
        Level: "info" | "success" | "warning" | "error";
        LinkBegun: {
            /** @description where the user's browser goes next */
            authorization_url: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
        };
        LinkBegunReply: {
            data: components["schemas"]["LinkBegun"];
            message: string;
            statusCode: number;
        };
        Linked: {
            codehost_username: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            linked_at: string;
        };
        LinkedReply: {
            data: components["schemas"]["Linked"];
            message: string;
            statusCode: number;
        };
        ListedInvoice: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            credit_note_for: components["schemas"]["CorrectedSale"] | null;
            /** @example USD */
            currency: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            due_date: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /**
             * @description without gaps within the year of issue: `INV-` for invoices, `CN-` for credit notes, each in a series of its own
             * @example INV-2026-000001
             */
            invoice_number: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            issue_date: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            paid_date: string;
            /** @description `paid` */
            status: string;
            transaction: components["schemas"]["InvoicedTransaction"];
            /** @description 24 hexadecimal characters */
            transaction_id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        ListedRule: {
            action: components["schemas"]["Action"];
            /** @description bytes that this rule decided; null while it is not in force, or its host does not answer */
            bytes: number | null;
            description: string;
            destination?: string;
            destination_port?: string;
            direction: components["schemas"]["Direction"];
            icmp_code?: string;
            icmp_type?: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description packets that this rule decided; null while it is not in force, or its host does not answer */
            packets: number | null;
            protocol: components["schemas"]["Protocol"];
            source?: string;
            source_port?: string;
            state: components["schemas"]["RuleState"];
        };
        Login: {
            /** @description one of `username` and `email` */
            email?: string;
            password: string;
            /** @description one of `username` and `email` */
            username?: string;
        };
        LoginPasskey: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge: string;
            passkey: components["schemas"]["PasskeyAssertion"];
        };
        LoginSecondFactor: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge: string;
            /** @description the six digits that the app shows now, or a recovery code. Each is good once */
            code?: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        LogLine: {
            /** @description true: the line has no end yet. It goes on in the next one of the same stream; a line longer than 16 KiB comes in such pieces */
            partial: boolean;
            stream: components["schemas"]["LogStreamName"];
            /** @description without the line break; bytes that are not UTF-8 are replaced by U+FFFD */
            text: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            time: string;
        };
        /** @enum {string} */
        LogStreamName: "stdout" | "stderr";
        MailSettings: {
            /** @description a container or a firewall that its host reports as failing */
            containers: boolean;
            /** @description where mail goes */
            email: string;
            /** @description notices are sent to a verified address alone */
            email_verified: boolean;
            low_balance_below: string | null;
            /** @description a server that is ready, a rental that ends soon or extends itself, a reservation that could not be delivered, a payment that failed or is under review, a low balance */
            money: boolean;
            /** @description a sign-in from somewhere new, and changes of the password, the e-mail address, the second factor and API tokens */
            security: boolean;
            /** @description whether this Berth sends mail */
            sends_mail: boolean;
        };
        MailSettingsReply: {
            data: components["schemas"]["MailSettings"];
            message: string;
            statusCode: number;
        };
        ManagedContainer: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            error: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            image: string | null;
            name: string;
            /** @description 24 hexadecimal characters */
            project_id: string;
            /** @description how often it has ended by itself and started again, since it was last started or restarted by request */
            restarts: number;
            /** @description 24 hexadecimal characters */
            server_id: string;
            /** @description its host */
            server_name: string;
            state: components["schemas"]["ContainerState"];
            subserver_name: string | null;
            /** @description who made it */
            user_id: string;
            username: string;
        };
        ManagedContainersReply: {
            data: {
                containers: components["schemas"]["ManagedContainer"][];
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        ManagedInvoicesReply: {
            data: {
                invoices: components["schemas"]["ListedInvoice"][];
                pagination: components["schemas"]["CursorPagination"];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        ManagedReservationsReply: {
            data: {
                pagination: components["schemas"]["CursorPagination"];
                reservations: components["schemas"]["Reservation"][];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        ManagedTransaction: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @example USD */
            currency: string;
            /** @description 24 hexadecimal characters */
            id: string;
            reason: string;
            refund_of: string | null;
            refund_of_reason: string | null;
            /**
             * @description USD that can still be refunded; 0 for all but charges
             * @example 25.5
             */
            refundable: number;
            /**
             * @description USD that were refunded of this transaction
             * @example 25.5
             */
            refunded: number;
            /** @description `completed` */
            status: string;
            transaction_type: components["schemas"]["TransactionType"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        ManagedTransactionReply: {
            data: components["schemas"]["ManagedTransaction"];
            message: string;
            statusCode: number;
        };
        ManagedTransactionsReply: {
            data: {
                pagination: components["schemas"]["CursorPagination"];
                total: number;
                transactions: components["schemas"]["ManagedTransaction"][];
            };
            message: string;
            statusCode: number;
        };
        ManagedUser: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            email: string;
            /** @description 24 hexadecimal characters */
            id: string;
            last_signed_in_at: string | null;
            role: components["schemas"]["UserRole"];
            status: components["schemas"]["UserStatus"];
            username: string;
        };
        MemberReply: {
            data: components["schemas"]["PoolMember"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        MemberRole: "admin" | "user";
        /** @description Value n of each is for the time from `from` + n·`step_seconds` on. null: nothing was measured then, because it did not run, its host's agent did not, or the kernel does not count it */
        MetricsSeries: {
            /** @description percent of one core: two busy cores are 200 */
            cpu_percent: (number | null)[];
            /** @description disk space in use */
            disk_bytes: (number | null)[];
            /** @description memory in use */
            memory_bytes: (number | null)[];
            /** @description what came in over the network */
            network_received_bytes_per_second: (number | null)[];
            /** @description what went out over the network */
            network_sent_bytes_per_second: (number | null)[];
        };
        /** @enum {string} */
        NamedTimeSort: "created_at" | "-created_at" | "name" | "-name";
        NextCursor: string | null;
        /** @description 404: `code` says why */
        NotFoundError: {
            /** @enum {string} */
            code: "ALIAS_NOT_FOUND" | "CERTIFICATE_NOT_FOUND" | "CODEHOST_NOT_CONFIGURED" | "CONTAINER_NOT_FOUND" | "CONTAINER_PERMISSION_NOT_FOUND" | "DOMAIN_NOT_FOUND" | "EVENT_NOT_FOUND" | "FIREWALL_RULE_NOT_FOUND" | "HOST_NOT_FOUND" | "IMAGE_NOT_FOUND" | "INVITATION_NOT_FOUND" | "INVOICE_NOT_FOUND" | "MEMBER_NOT_FOUND" | "NOTIFICATION_NOT_FOUND" | "OFFER_NOT_FOUND" | "PASSKEY_NOT_FOUND" | "PAYMENT_INTENT_NOT_FOUND" | "PAYMENT_METHOD_NOT_FOUND" | "POOL_NOT_FOUND" | "PROJECT_NOT_FOUND" | "RECORD_NOT_FOUND" | "REGISTRY_CREDENTIAL_NOT_FOUND" | "RENTAL_NOT_FOUND" | "RESERVATION_NOT_FOUND" | "REVIEW_NOT_FOUND" | "SECOND_FACTOR_NOT_FOUND" | "SERVER_NOT_FOUND" | "SESSION_NOT_FOUND" | "STORAGE_SHARE_NOT_FOUND" | "STORAGE_SNAPSHOT_NOT_FOUND" | "TOKEN_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "USER_NOT_FOUND" | "WEBHOOK_DELIVERY_NOT_FOUND" | "WEBHOOK_NOT_FOUND";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 404;
        };
        Notification: {
            body: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            event_id: string | null;
            event_type: components["schemas"]["EventType"] | null;
            /** @description 24 hexadecimal characters */
            id: string;
            level: components["schemas"]["Level"];
            page: string | null;
            public: boolean;
            realm_id: string | null;
            resource_id: string | null;
            resource_type: components["schemas"]["ResourceType"] | null;
            title: string;
            user_id: string | null;
        };
        NotificationReply: {
            data: components["schemas"]["Notification"];
            message: string;
            statusCode: number;
        };
        NotificationsReply: {
            data: {
                notifications: components["schemas"]["InboxEntry"][];
                pagination: {
                    limit: number;
                    next_cursor: string | null;
                    page: number;
                    total: number;
                    totalPages: number;
                };
            };
            message: string;
            statusCode: number;
        };
        NotificationSummaryReply: {
            data: {
                newest_position: string | null;
                poll_interval_seconds: number;
                /** @description counted up to 10000 */
                unread_count: number;
            };
            message: string;
            statusCode: number;
        };
        Offer: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description hours from the order to the delivery */
            lead_time_hours: number;
            name: string;
            orderable: boolean;
            pricing_rules: components["schemas"]["Prices"];
            /** @description cents */
            setup_fee_cents: number;
            setup_fee_rules: components["schemas"]["Prices"];
            specs: components["schemas"]["ServerSpecs"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        OfferReply: {
            data: components["schemas"]["Offer"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        OfferSort: "name" | "-name" | "created_at" | "-created_at" | "lead_time_hours" | "-lead_time_hours";
        OffersReply: {
            data: components["schemas"]["Offer"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        OneAliasReply: {
            data: {
                alias: string;
                allow_path_override: boolean;
                container: {
                    /** @description 24 hexadecimal characters */
                    id: string;
                    name: string;
                };
                /** @description 24 hexadecimal characters */
                container_id: string;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                /** @description false as soon as `expires_at` has passed */
                enabled: boolean;
                expires_at: string | null;
                /** @description 24 hexadecimal characters */
                id: string;
                /** @description instance of a program; of `display` the number of the X display; for http, https and ssh the target port */
                index: number;
                /** @description without a port */
                program: string;
                project: {
                    /** @description the project's name */
                    alias: string;
                    /** @description 24 hexadecimal characters */
                    id: string;
                };
                /** @description 24 hexadecimal characters */
                project_id: string;
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                subserver_name: string | null;
                target_path: string | null;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                updated_at: string;
                /** @description https://<alias>.<server_name>.<container_domain> */
                url: string;
                /** @description 24 hexadecimal characters */
                user_id: string;
            };
            message: string;
            statusCode: number;
        };
        OverviewReply: {
            data: {
                /** @description what waits for an operator, one item a kind, the most urgent first; empty: nothing */
                attention: components["schemas"]["Attention"][];
                holdings: components["schemas"]["Holdings"];
            };
            message: string;
            statusCode: number;
        };
        Pagination: {
            limit: number;
            next_cursor: components["schemas"]["NextCursor"];
            page: number;
            total: number;
            totalPages: number;
        };
        PasskeyAddedReply: {
            data: {
                /** @description the number of sessions that were begun without a second factor, and ended */
                ended: number;
                /** @description 24 hexadecimal characters */
                id: string;
                name: string;
                recovery_codes: string[] | null;
            };
            message: string;
            statusCode: number;
        };
        /** @description what `navigator.credentials.get()` gave, as `toJSON()` writes it */
        PasskeyAssertion: {
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description base64url */
            id: string;
            /** @description base64url */
            rawId: string;
            response: {
                /** @description base64url */
                authenticatorData: string;
                /** @description base64url */
                clientDataJSON: string;
                /** @description base64url */
                signature: string;
                userHandle?: string | null;
            };
            /** @constant */
            type: "public-key";
        };
        PasskeyChallenge: {
            challenge: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
            /** @description for `navigator.credentials.get()`, as `PublicKeyCredential.parse…FromJSON()` reads it */
            options: {
                [key: string]: unknown;
            };
        };
        PasskeyChallengeReply: {
            data: components["schemas"]["PasskeyChallenge"];
            message: string;
            statusCode: number;
        };
        PasskeyCreationReply: {
            data: {
                /** @description for `POST /api/v1/auth/passkeys` */
                challenge: string;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                expires_at: string;
                /** @description for `navigator.credentials.create()`, as `PublicKeyCredential.parse…FromJSON()` reads it */
                options: {
                    [key: string]: unknown;
                };
            };
            message: string;
            statusCode: number;
        };
        PasskeyRecord: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            last_used_at: string | null;
            name: string;
            /** @description whether its owner's other devices may have it too */
            synced: boolean;
        };
        /** @description what `navigator.credentials.create()` gave, as `toJSON()` writes it */
        PasskeyRegistration: {
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            /** @description base64url */
            id: string;
            /** @description base64url */
            rawId: string;
            response: {
                /** @description base64url */
                attestationObject: string;
                /** @description base64url */
                clientDataJSON: string;
                transports?: string[];
            };
            /** @constant */
            type: "public-key";
        };
        PatchAlias: {
            /** @description 3 to 61 of a-z, 0-9 and hyphen, which is neither first nor last; null or false: a generated label of 48 hexadecimal characters */
            alias?: string | null | false;
            allow_path_override?: boolean;
            enabled?: boolean;
            /** @description ISO 8601, or Unix time in seconds or, from 1000000000000 on, milliseconds; in the future, or its present value; null: it does not expire */
            expires_at?: string | number | null;
            /** @description instance of a program; of `display` the number of the X display; for http, https and ssh the target port */
            index?: number;
            /** @description target port of http, https and ssh, or the name of one of the container's `ports`, whose number it has at this moment; takes precedence over `index` and over a port in `program` */
            port?: number | string;
            /** @description `terminal`, `pipe`, `notifications`, `files`, a program that the container's image declares, such as `code` or `display`; or `http`, `https` or `ssh`, which may carry a port: `http:8080` */
            program?: string;
            target_path?: string | null;
        };
        PatchMailSettings: {
            /** @description a container or a firewall that its host reports as failing */
            containers?: boolean;
            low_balance_below?: string | null;
            /** @description a server that is ready, a rental that ends soon or extends itself, a reservation that could not be delivered, a payment that failed or is under review, a low balance */
            money?: boolean;
            /** @description a sign-in from somewhere new, and changes of the password, the e-mail address, the second factor and API tokens */
            security?: boolean;
        };
        PatchStorageShare: {
            /** @description not blank, without control characters and without those that change the direction of text */
            name?: string;
            /**
             * @description the size limit in bytes, file names and tables of the file system included. It can grow, and does not shrink
             * @example 1073741824
             */
            size_bytes?: number;
            snapshot_schedule?: components["schemas"]["SnapshotSchedule"] | null;
        };
        PatchWebhook: {
            description?: string;
            /** @description true switches it on again, with the events from then on */
            enabled?: boolean;
            event_types?: components["schemas"]["EventType"][] | null;
            /**
             * @description an https address without user name, password and fragment; http only where the operator allows its network
             * @example https://example.com/hooks/berth
             */
            url?: string;
        };
        /** @description 413: `code` says why */
        PayloadTooLargeError: {
            /** @enum {string} */
            code: "PAYLOAD_TOO_LARGE";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 413;
        };
        PaymentAvailability: {
            /** @description the platform's share of a transfer, basis points */
            ai_credit_fee_bps: number;
            cardpay: components["schemas"]["ProviderAvailability"];
            cryptopay: components["schemas"]["ProviderAvailability"];
        };
        PaymentAvailabilityReply: {
            data: components["schemas"]["PaymentAvailability"];
            message: string;
            statusCode: number;
        };
        PaymentIntent: {
            /** @description USD */
            amount: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            credited_amount: number | null;
            credited_at: string | null;
            /** @example USD */
            currency: string;
            expires_at: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            provider: components["schemas"]["PaymentProvider"];
            redirect_url: string | null;
            /**
             * @description `completed` is final; a payment that arrives after `expired` or `failed` still completes the intent
             * @enum {string}
             */
            status: "pending" | "completed" | "failed" | "expired";
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        PaymentMethod: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            details: components["schemas"]["Details"];
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description true for exactly one of your methods, as soon as you have any: the one that an application should offer first. Berth charges no saved method: top-ups are paid on the processor's own page */
            is_default: boolean;
            name: string;
            /** @description whether you use it: a mark of your own, with no effect. Berth charges no saved method: top-ups are paid on the processor's own page */
            status: components["schemas"]["PaymentMethodStatus"];
            type: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        PaymentMethodReply: {
            data: components["schemas"]["PaymentMethod"];
            message: string;
            statusCode: number;
        };
        PaymentMethodsReply: {
            data: components["schemas"]["PaymentMethod"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        /** @enum {string} */
        PaymentMethodStatus: "active" | "inactive";
        /** @enum {string} */
        PaymentProvider: "cardpay" | "cryptopay";
        PaymentReview: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description USD that this review's resolution brought to the wallet */
            credited_amount: number;
            /** @description USD */
            expected_amount: number;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description 24 hexadecimal characters */
            intent_id: string;
            note: string | null;
            paid_amount: number | null;
            provider: components["schemas"]["PaymentProvider"];
            /** @enum {string} */
            reason: "amount_mismatch" | "currency_mismatch" | "amount_unknown" | "other_session" | "not_final" | "deposit_refused";
            /** @description the payment as the processor reported it */
            reported: string;
            resolved_at: string | null;
            resolved_by: string | null;
            /** @description the id of the hosted session at the processor */
            session_id: string;
            status: components["schemas"]["ReviewStatus"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        /**
         * @description `resources.read`: see projects, containers, storage shares, firewalls, aliases, servers, rentals, pools and images; `resources.write`: create, change and delete projects, containers, storage shares, firewalls, aliases and pools; enter containers; import and rate images; `resources.read_account`: see the account, its events and its notifications; `resources.write_account`: change records of the account: delete its events; `webhooks.manage`: create, change, test and delete webhooks, which send the account's events to an address; `wallet.read`: see balances, payment methods, invoices and transactions; `wallet.spend`: move and spend money: transfers, top-ups, rent, reserve, extend, purchase, and giving up what was paid for
         * @enum {string}
         */
        PermissionName: "resources.read" | "resources.write" | "resources.read_account" | "resources.write_account" | "webhooks.manage" | "wallet.read" | "wallet.spend";
        PermittedServices: string[] | null;
        PoolDetail: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            description: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description pending ones; empty for members who may not invite */
            invitations: components["schemas"]["Invitation"][];
            /** @description the pool of rentals that name no other; it cannot be deleted */
            is_default: boolean;
            /** @description including the owner */
            member_count: number;
            /** @description the owner first */
            members: components["schemas"]["PoolMember"][];
            name: string;
            /** @description 24 hexadecimal characters */
            owner_id: string;
            role: components["schemas"]["Role"];
            server_count: number;
            servers: {
                /** @description whether containers can run there: its host has joined */
                host_joined: boolean;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                rental_end: string;
                /** @description 24 hexadecimal characters */
                rental_id: string;
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                specs: components["schemas"]["ServerSpecs"];
            }[];
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        PoolMember: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            joined_at: string;
            role: components["schemas"]["Role"];
            /** @description 24 hexadecimal characters */
            user_id: string;
            username: string;
        };
        PoolReply: {
            data: components["schemas"]["PoolDetail"];
            message: string;
            statusCode: number;
        };
        PoolsReply: {
            data: components["schemas"]["PoolSummary"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        PoolSummary: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            description: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description the pool of rentals that name no other; it cannot be deleted */
            is_default: boolean;
            /** @description including the owner */
            member_count: number;
            name: string;
            /** @description 24 hexadecimal characters */
            owner_id: string;
            role: components["schemas"]["Role"];
            server_count: number;
            settings: {
                [key: string]: unknown;
            };
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description an alias can lead to `http`, `https` and `ssh`
         * @enum {string}
         */
        PortProtocol: "http" | "https" | "ssh" | "tcp" | "udp";
        /** @description 412: `code` says why */
        PreconditionFailedError: {
            /** @enum {string} */
            code: "PRECONDITION_FAILED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 412;
        };
        /** @description 428: `code` says why */
        PreconditionRequiredError: {
            /** @enum {string} */
            code: "PRECONDITION_REQUIRED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 428;
        };
        PreparedImage: {
            digest: string | null;
            error: string | null;
            reference: string;
            /**
             * @description `ready`: all of it is on the host, and stays there
             * @enum {string}
             */
            state: "pulling" | "ready" | "error";
        };
        /** @description days of rent → cents; at most 3650 days */
        Prices: {
            [key: string]: number;
        };
        /** @enum {string} */
        PrivilegedAct: "impersonated" | "recovery_started" | "suspended" | "restored" | "account_deleted" | "role_changed" | "wallet_credited" | "charge_refunded" | "payment_review_resolved" | "reservation_delivered" | "reservation_cancelled" | "rental_terminated" | "notification_sent" | "notification_deleted" | "server_added" | "server_updated" | "server_removed" | "stock_imported" | "offer_added" | "offer_updated" | "offer_withdrawn" | "image_added" | "image_updated" | "image_icon_set" | "image_deleted" | "event_retention_set" | "host_added" | "host_updated" | "host_token_created" | "host_removed" | "certificate_retried";
        PrivilegedEntry: {
            act: components["schemas"]["PrivilegedAct"];
            address: string | null;
            by: string | null;
            by_id: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            data: {
                [key: string]: unknown;
            };
            /** @description 24 hexadecimal characters */
            id: string;
            request_id: string | null;
            resource_id: string | null;
            user: string | null;
            user_id: string | null;
        };
        Project: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            description: string;
            /** @description 24 hexadecimal characters */
            id: string;
            name: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        ProjectReply: {
            data: components["schemas"]["Project"];
            message: string;
            statusCode: number;
        };
        ProjectsReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                projects: components["schemas"]["Project"][];
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        Protocol: "tcp" | "udp" | "icmp4";
        Proven: {
            /** @description the challenge that this answers; good once, for five minutes */
            challenge?: string;
            /** @description the six digits that the app shows now, or a recovery code. Each is good once */
            code?: string;
            /** @description the present password */
            current_password: string;
            passkey?: components["schemas"]["PasskeyAssertion"];
        };
        ProviderAvailability: {
            enabled: boolean;
            max_usd: number;
            min_usd: number;
        };
        PublicImage: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            added_date: string;
            alias: string;
            architecture: string;
            /** @description rounded to the hundredth; 0: no ratings */
            average_rating: number;
            description: string;
            /** @description path of its icon */
            icon_url: string;
            /** @description 24 hexadecimal characters */
            id: string;
            image_name: string;
            os: string;
            prespawn: boolean;
            /** @description USD; 0: free */
            price: number;
            rating_count: number;
            release: string;
            /** @description bytes */
            size: number;
            tags: string[];
            variant: string;
        };
        PublicImageDetail: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            added_date: string;
            alias: string;
            architecture: string;
            /** @description rounded to the hundredth; 0: no ratings */
            average_rating: number;
            description: string;
            /** @description path of its icon */
            icon_url: string;
            /** @description 24 hexadecimal characters */
            id: string;
            image_name: string;
            os: string;
            prespawn: boolean;
            /** @description USD; 0: free */
            price: number;
            rating_count: number;
            release: string;
            serial: string;
            /** @description bytes */
            size: number;
            tags: string[];
            variant: string;
        };
        PublicImageReply: {
            data: components["schemas"]["PublicImageDetail"];
            message: string;
            statusCode: number;
        };
        PublicImagesReply: {
            data: {
                images: components["schemas"]["PublicImage"][];
                pagination: components["schemas"]["Pagination"];
            };
            message: string;
            statusCode: number;
        };
        PublicNotification: {
            body: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            level: components["schemas"]["Level"];
            title: string;
        };
        PublicNotificationsReply: {
            data: {
                count: number;
                notifications: components["schemas"]["PublicNotification"][];
                pagination: components["schemas"]["CursorPagination"];
            };
            message: string;
            statusCode: number;
        };
        PurchaseReply: {
            data: {
                /** @description USD */
                price_paid: number;
                /** @description USD, after this purchase */
                remaining_balance: number;
            };
            message: string;
            statusCode: number;
        };
        PutRegistryCredential: {
            /** @description a password or an access token; no reply shows it */
            password: string;
            /** @description the user at the registry: one line, not blank, without a colon */
            username: string;
        };
        /** @enum {string} */
        QueryFlag: "true" | "false";
        QuotasReply: {
            data: {
                count: number;
                quotas: components["schemas"]["QuotaUse"][];
            };
            message: string;
            statusCode: number;
        };
        QuotaUse: {
            /** @description what the quota counts */
            description: string;
            /** @description the most there may be at once */
            limit: number;
            /**
             * @description name of the quota
             * @enum {string}
             */
            quota: "projects_per_user" | "pools_per_user" | "containers_per_user" | "api_tokens_per_user" | "webhooks_per_user" | "payment_methods_per_user" | "sessions_per_user" | "pending_invitations_per_user" | "open_reservations_per_user" | "open_top_ups_per_user" | "domains_per_user" | "containers_per_project" | "storage_shares_per_project" | "members_per_pool" | "containers_per_server" | "storage_shares_per_server" | "aliases_per_server" | "aliases_per_container" | "firewall_rules_per_container";
            /**
             * @description what has the limit: each user, project, pool, server or container
             * @enum {string}
             */
            scope: "user" | "project" | "pool" | "server" | "container";
            scope_id: string | null;
            used: number | null;
        };
        Rate: {
            /** @description rounded to the hundredth */
            rating: number;
        };
        RateReply: {
            data: {
                average_rating: number;
                new_rating: number;
                rating_count: number;
            };
            message: string;
            statusCode: number;
        };
        ReadAllReply: {
            data: {
                unread_count: number;
            };
            message: string;
            statusCode: number;
        };
        ReadComposeFile: {
            /** @description the text of a compose file */
            file: string;
            /** @description the project; the file's `name` unless given */
            project?: string;
            /** @description the name of the server of services that name none */
            server?: string;
            /** @description values of the variables that the file uses, such as `$TAG`, and of variables and secrets that it names without a value */
            variables?: {
                [key: string]: string;
            };
        };
        ReadReply: {
            data: {
                /** @description 24 hexadecimal characters */
                id: string;
                read: boolean;
            };
            message: string;
            statusCode: number;
        };
        RealmSession: {
            /** @description 24 hexadecimal characters */
            realm_id: string;
        };
        Recover: {
            new_password: string;
            /** @description the token of a recovery link */
            token: string;
        };
        RecoveryCodesReply: {
            data: {
                /** @description shown in this reply only; each is good once */
                recovery_codes: string[];
            };
            message: string;
            statusCode: number;
        };
        RecoveryStartedReply: {
            data: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                expires_at: string;
                /** @description the same for `POST /api/v1/auth/recover`; shown in this reply only */
                token: string;
                /** @description the page on which the user sets a new password; good once */
                url: string;
            };
            message: string;
            statusCode: number;
        };
        RedeemDeviceCode: {
            /** @description the program's own code */
            device_code: string;
        };
        RefreshToken: {
            refresh_token: string;
        };
        RefundReply: {
            data: {
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                amount: string;
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                general_balance: string;
                /** @description the charge's transaction */
                refund_of: string;
                /**
                 * @description what is still left to refund of the charge
                 * @example 475.00
                 */
                refundable: string;
                /** @description the key was used before; no money moved */
                replayed: boolean;
                /** @description 24 hexadecimal characters */
                transaction_id: string;
            };
            message: string;
            statusCode: number;
        };
        RefundTransaction: {
            /**
             * @description an amount in USD, such as 2.50; left out: all that is not refunded yet
             * @example 25.00
             */
            amount?: string;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
            /** @description the user reads it, and so does whoever reads the audit log */
            reason: string;
        };
        RegistryCredential: {
            registry: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            username: string;
        };
        RegistryCredentialReply: {
            data: components["schemas"]["RegistryCredential"];
            message: string;
            statusCode: number;
        };
        RegistryCredentialsReply: {
            data: {
                registry_credentials: components["schemas"]["RegistryCredential"][];
            };
            message: string;
            statusCode: number;
        };
        RemovedHostReply: {
            data: {
                ended_rentals: components["schemas"]["EndedRental"][];
            };
            message: string;
            statusCode: number;
        };
        RemoveEgressRules: {
            action?: components["schemas"]["Action"];
            /** @description remove every matching rule, and not only the first */
            all?: boolean;
            description?: string;
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            destination?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol?: components["schemas"]["Protocol"];
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            /** @description `enabled` by default; with `all` and no other field, rules of both states */
            state?: components["schemas"]["RuleState"];
        };
        RemoveIngressRules: {
            action?: components["schemas"]["Action"];
            /** @description remove every matching rule, and not only the first */
            all?: boolean;
            description?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol?: components["schemas"]["Protocol"];
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            source?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            /** @description `enabled` by default; with `all` and no other field, rules of both states */
            state?: components["schemas"]["RuleState"];
        };
        RenamePasskey: {
            /** @description not blank, without control characters and without those that change the direction of text */
            name: string;
        };
        Rent: {
            /** @description the most that may be charged, in cents; required unless the total is 0 */
            max_charge_cents?: number;
            /** @description 24 hexadecimal characters */
            pool_id?: string;
            /** @description days */
            rental_days: number;
        };
        Rental: {
            auto_extension: components["schemas"]["AutoExtension"] | null;
            /** @description true: an operator sets the server up, and the paid time begins when its host joins. Until then nothing ends: `rental_start` and `rental_end` are as if it had begun with the payment, and move when it does */
            awaits_delivery: boolean;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description whether the server's host has joined, so that containers can run there; false: an operator still sets it up, and `server.updated` with `host_joined` says when it is ready */
            host_joined: boolean;
            /** @description 24 hexadecimal characters */
            id: string;
            pool_id: string | null;
            renewal_prices: components["schemas"]["Prices"] | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            rental_end: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            rental_start: string;
            /** @description 24 hexadecimal characters */
            server_id: string;
            server_name: string;
            specs: components["schemas"]["ServerSpecs"];
            status: components["schemas"]["RentalStatus"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        RentalMetrics: {
            /**
             * @description the asked time, brought down to a whole step
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            /** @description 24 hexadecimal characters */
            rental_id: string;
            /**
             * @description `physical`: of the whole server; `subserver`: the sum of its containers
             * @enum {string}
             */
            scope: "physical" | "subserver";
            series: components["schemas"]["MetricsSeries"];
            /** @description 24 hexadecimal characters */
            server_id: string;
            server_name: string;
            step_seconds: number;
            /**
             * @description the asked time, brought up to a whole step
             * @example 2026-01-31T09:30:00.000Z
             */
            to: string;
        };
        RentalMetricsReply: {
            data: components["schemas"]["RentalMetrics"];
            message: string;
            statusCode: number;
        };
        RentalReply: {
            data: components["schemas"]["Rental"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        RentalSort: "created_at" | "-created_at" | "server_name" | "-server_name" | "rental_end" | "-rental_end";
        RentalsReply: {
            data: components["schemas"]["Rental"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        /** @enum {string} */
        RentalStatus: "active" | "ended";
        ReplaceRules: {
            rules: {
                action: components["schemas"]["Action"];
                description: string;
                /**
                 * @description IPv4 address or CIDR; 0.0.0.0/0 means any
                 * @example 10.0.0.0/8
                 */
                destination?: string;
                /**
                 * @description one port, a range such as 80-90, or a comma list
                 * @example 80,443,8000-8100
                 */
                destination_port?: string;
                direction: components["schemas"]["Direction"];
                /** @description 0 to 255 */
                icmp_code?: string;
                /** @description 0 to 255 */
                icmp_type?: string;
                /** @description 24 hexadecimal characters */
                id?: string;
                protocol: components["schemas"]["Protocol"];
                /**
                 * @description IPv4 address or CIDR; 0.0.0.0/0 means any
                 * @example 10.0.0.0/8
                 */
                source?: string;
                /**
                 * @description one port, a range such as 80-90, or a comma list
                 * @example 80,443,8000-8100
                 */
                source_port?: string;
                state?: components["schemas"]["RuleState"];
            }[];
        };
        RequestRecovery: {
            /** @description an e-mail address, such as ann@example.com */
            email: string;
        };
        Reservation: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description days */
            days: number;
            delivery_due: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description 24 hexadecimal characters */
            offer_id: string;
            offer_name: string;
            pool_id: string | null;
            /** @description cents */
            rent_cents: number;
            rental_id: string | null;
            /** @description cents */
            setup_fee_cents: number;
            status: components["schemas"]["ReservationStatus"];
            /** @description cents */
            total_cents: number;
            transaction_id: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        ReservationReply: {
            data: components["schemas"]["Reservation"];
            message: string;
            statusCode: number;
        };
        ReservationsReply: {
            data: {
                limit: number;
                offset: number;
                pagination: components["schemas"]["CursorPagination"];
                reservations: components["schemas"]["Reservation"][];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        ReservationStatus: "pending" | "confirmed" | "delivered" | "cancelled";
        Reserve: {
            /** @description days */
            days: number;
            /** @description required, here or in the header `Idempotency-Key` */
            idempotency_key?: string;
            /** @description the total that the client showed: rent and setup fee, in cents. Required unless the total is 0, and it must be exact */
            max_charge_cents?: number;
            /** @description 24 hexadecimal characters */
            pool_id?: string;
        };
        ResolveReview: {
            /** @enum {string} */
            action: "credit" | "dismiss";
            note: string;
        };
        /** @enum {string} */
        ResourceType: "container" | "storage_share" | "notification" | "project" | "server" | "firewall" | "proxy_alias" | "proxy_permissions" | "auth_token" | "pool" | "user" | "activity_log";
        RestartPolicy: {
            max_retries: number | null;
            name: components["schemas"]["RestartPolicyName"];
        };
        /**
         * @description what follows when the container ends by itself. `on-failure`: it starts again unless it ended with status 0. A container that you stopped stays stopped under each of them, so `unless-stopped` is the same as `always`
         * @enum {string}
         */
        RestartPolicyName: "no" | "on-failure" | "always" | "unless-stopped";
        ReviewReply: {
            data: components["schemas"]["PaymentReview"];
            message: string;
            statusCode: number;
        };
        ReviewsReply: {
            data: {
                pagination: components["schemas"]["CursorPagination"];
                reviews: components["schemas"]["PaymentReview"][];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        ReviewStatus: "open" | "credited" | "dismissed";
        /** @enum {string} */
        Role: "owner" | "admin" | "user";
        RotateSecret: {
            /** @description how long requests are signed with the former secret too; 24 by default, 0 ends it at once */
            keep_previous_hours?: number;
        };
        /** @enum {string} */
        RuleState: "enabled" | "disabled";
        RunCommand: {
            /**
             * @description the program, by its path or its name, and its arguments. There is no shell in between
             * @example [
             *       "ls",
             *       "-l",
             *       "/srv"
             *     ]
             */
            command: string[];
            encoding?: components["schemas"]["TextEncoding"];
            /**
             * @description variables beside those of the container; other programs cannot read them
             * @example {
             *       "MODE": "check"
             *     }
             */
            env?: {
                [key: string]: string;
            };
            /** @description what the program reads from stdin; nothing by default */
            input?: string;
            /** @description the command is ended after this time, with all that it started; 60 by default */
            timeout_seconds?: number;
            /** @description a user of the container's `/etc/passwd`, or a number; `root` by default */
            user?: string;
            /** @description an absolute path; by default the home of the user */
            working_directory?: string;
        };
        RuntimeReply: {
            data: {
                containers: components["schemas"]["ContainerUsage"][];
                cpu: {
                    cores: number;
                    /** @description averages over 1, 5 and 15 minutes */
                    load_average: [
                        number,
                        number,
                        number
                    ];
                    /** @description of all cores together */
                    usage_percent: number;
                };
                disk: components["schemas"]["SpaceUsage"];
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                measured_at: string;
                memory: components["schemas"]["SpaceUsage"];
                /** @description 24 hexadecimal characters */
                rental_id: string;
                /** @constant */
                scope: "physical";
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                uptime_seconds: number;
            } | {
                containers: components["schemas"]["ContainerUsage"][];
                cpu: {
                    cores: number | null;
                    usage_percent: number | null;
                };
                disk: {
                    total_bytes: number | null;
                };
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                measured_at: string;
                memory: {
                    total_bytes: number | null;
                    usage_percent: number | null;
                    used_bytes: number | null;
                };
                /** @description 24 hexadecimal characters */
                rental_id: string;
                /** @constant */
                scope: "subserver";
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                /** @description of the host */
                uptime_seconds: number;
            };
            message: string;
            statusCode: number;
        };
        SecondFactorReply: {
            data: components["schemas"]["SecondFactorStatus"];
            message: string;
            statusCode: number;
        };
        SecondFactorStatus: {
            /** @description whether the password alone does not sign in */
            enabled: boolean;
            passkey_origin: string | null;
            /** @description oldest first, 20 at most */
            passkeys: components["schemas"]["PasskeyRecord"][];
            recovery_codes_left: number;
            /** @description whether the operator requires one of this account */
            required: boolean;
            totp: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
            } | null;
        };
        Seller: {
            details: string[];
            name: string;
        };
        /** @enum {string} */
        ServerKind: "dedicated" | "shared" | "system";
        ServerSpecs: {
            bandwidth_mbps?: number;
            /** @enum {string} */
            category?: "compute" | "memory" | "storage" | "general" | "gpu";
            /** @description not blank, without control characters and without those that change the direction of text */
            city?: string;
            /**
             * @description ISO 3166-1 code
             * @example DE
             */
            country?: string;
            cpu_cores?: number;
            /** @description not blank, without control characters and without those that change the direction of text */
            cpu_model?: string;
            cpu_scores?: {
                geekbench_multi?: number;
                geekbench_single?: number;
                passmark?: number;
            };
            disks?: {
                /** @description GB, by powers of ten */
                size_gb: number;
                /** @enum {string} */
                type: "hdd" | "ssd" | "nvme";
            }[];
            featured?: boolean;
            /** @description memory in GiB */
            ram_gb?: number;
            /** @enum {string} */
            ram_type?: "ddr3" | "ddr4" | "ddr5";
            /** @description not blank, without control characters and without those that change the direction of text */
            region?: string;
            traffic_tb?: number | null;
        };
        /** @enum {string} */
        ServerStatus: "in_stock" | "renting" | "rented" | "grace" | "cleaning" | "retired";
        /** @description 503: `code` says why */
        ServiceUnavailableError: {
            /** @enum {string} */
            code: "HOST_SILENT" | "OVERLOADED" | "PAYMENT_PROVIDER_UNAVAILABLE" | "UNAVAILABLE";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 503;
        };
        ServiceUrls: {
            /** @description https URL of its notification server */
            notifications: string;
            /** @description https URL of its streaming pipe */
            pipe: string;
            /** @description https URL of its web terminal */
            terminal: string;
        };
        SessionInfo: {
            address: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @description whether it is the session of this request */
            current: boolean;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
            /** @description 24 hexadecimal characters */
            id: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            last_used_at: string;
            /** @description what that names: "Chrome 130 on Linux", or "an unknown program" */
            program: string;
            user_agent: string | null;
        };
        SessionReply: {
            data: {
                /** @description EdDSA JWT, for the header `Authorization: Bearer` */
                access_token: string;
                /** @description seconds until the access token expires */
                expires_in: number;
                /** @description single use: each refresh returns a new one */
                refresh_token: string;
                user: components["schemas"]["User"];
            };
            message: string;
            statusCode: number;
        };
        SessionsEndedReply: {
            data: {
                /** @description the number of ended sessions */
                ended: number;
            };
            message: string;
            statusCode: number;
        };
        SessionsReply: {
            data: {
                pagination: components["schemas"]["Pagination"];
                sessions: components["schemas"]["SessionInfo"][];
            };
            message: string;
            statusCode: number;
        };
        SetBillingDetails: {
            address_lines: string[];
            /** @description not blank, without control characters and without those that change the direction of text */
            city: string;
            /**
             * @description ISO 3166-1 code
             * @example DE
             */
            country: string;
            /** @description the name of a person or of a company */
            name: string;
            postal_code?: string | null;
            vat_id?: string | null;
        };
        SetRuleState: {
            state: components["schemas"]["RuleState"];
        };
        SetVolumes: {
            /** @description storage shares of the container's project on its server, and where they are mounted from its next start on */
            volumes: components["schemas"]["VolumeRequest"][];
        };
        ShortTokenReply: {
            data: {
                /** @description EdDSA JWT, for the header `Authorization: Bearer` */
                access_token: string;
                /** @description seconds until it expires */
                expires_in: number;
            };
            message: string;
            statusCode: number;
        };
        Signup: {
            /** @description an e-mail address, such as ann@example.com */
            email: string;
            password: string;
            /** @description letters a to z, digits, - and _ */
            username: string;
        };
        /** @description snapshots at regular times; null: none. Those that were taken stay */
        SnapshotSchedule: {
            /**
             * @description the hours between two snapshots. The first is taken at once
             * @example 24
             */
            every_hours: number;
            /**
             * @description how many scheduled snapshots stay: the oldest is deleted when a newer one is ready
             * @example 7
             */
            keep: number;
        };
        /** @enum {string} */
        SortOrder: "asc" | "desc";
        SpaceUsage: {
            /** @description bytes */
            available_bytes: number;
            /** @description bytes */
            total_bytes: number;
            usage_percent: number;
            /** @description bytes */
            used_bytes: number;
        };
        StartRecovery: {
            /** @description not blank, without control characters and without those that change the direction of text */
            reason: string;
        };
        Statement: {
            /**
             * @description the opening balance and all amounts of `totals`; of the present month it is the balance
             * @example 475.00
             */
            closing_balance: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            from: string;
            /** @description whether the month is over */
            is_complete: boolean;
            /**
             * @description a month in UTC, such as 2026-01
             * @example 2026-01
             */
            month: string;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            opening_balance: string;
            /** @description by type; types without a transaction are left out */
            totals: {
                /**
                 * @description USD; what lowers the balance is negative
                 * @example -32.00
                 */
                amount: string;
                count: number;
                transaction_type: components["schemas"]["TransactionType"];
            }[];
            transaction_count: number;
            /**
             * @description the end of the month, or now: the month is not over, and more may follow
             * @example 2026-01-31T09:30:00.000Z
             */
            until: string;
        };
        StatementReply: {
            data: components["schemas"]["Statement"];
            message: string;
            statusCode: number;
        };
        StockImport: {
            added: number;
            changed: number;
            /** @description what was changed, or would be; empty where the reply is replayed */
            changes: {
                /** @enum {string} */
                action: "add" | "change";
                /** @description the cells that differ, as text */
                cells: {
                    after: string | null;
                    before: string | null;
                    column: string;
                }[];
                id: string | null;
                /** @description the line of the file */
                line: number;
                name: string;
            }[];
            dry_run: boolean;
            /** @description the key was used before; nothing was changed again */
            replayed: boolean;
            unchanged: number;
        };
        StockImportReply: {
            data: components["schemas"]["StockImport"];
            message: string;
            statusCode: number;
        };
        StockServer: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            delivered_by_hand: boolean;
            /** @description the name of the physical server whose agent runs it: its own, or that of the one it is a part of */
            host: string;
            /** @description whether an operator is emptying its host: it is neither rented nor delivered */
            host_draining: boolean;
            host_joined_at: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            kind: components["schemas"]["ServerKind"];
            name: string;
            parent_id: string | null;
            prices: components["schemas"]["Prices"];
            rental_id: string | null;
            renter: {
                /** @description its paid time begins when its host joins, and moves `rental_end` */
                awaits_delivery: boolean;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                rental_end: string;
                /** @description 24 hexadecimal characters */
                user_id: string;
                username: string;
            } | null;
            /** @description cents */
            setup_fee_cents: number;
            specs: components["schemas"]["ServerSpecs"];
            status: components["schemas"]["ServerStatus"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
        };
        StockServerReply: {
            data: components["schemas"]["StockServer"];
            message: string;
            statusCode: number;
        };
        StockServersReply: {
            data: {
                pagination: components["schemas"]["CursorPagination"];
                servers: components["schemas"]["StockServer"][];
                total: number;
            };
            message: string;
            statusCode: number;
        };
        StopSignal: string | null;
        StorageShare: {
            applied_size_bytes: number | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            enforced: boolean | null;
            error: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description the containers that run with it now */
            mounted_by: string[];
            name: string;
            next_snapshot_at: string | null;
            /** @description 24 hexadecimal characters */
            project_id: string;
            restoring_snapshot_id: string | null;
            /** @description 24 hexadecimal characters */
            server_id: string;
            server_name: string;
            /**
             * @description the size limit in bytes, file names and tables of the file system included. It can grow, and does not shrink
             * @example 1073741824
             */
            size_bytes: number;
            /** @description how many match, on all pages */
            snapshot_count: number;
            snapshot_schedule: components["schemas"]["SnapshotSchedule"] | null;
            state: components["schemas"]["StorageShareState"];
            subserver_name: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            used_bytes: number | null;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        StorageShareReply: {
            data: components["schemas"]["StorageShare"];
            message: string;
            statusCode: number;
        };
        StorageSharesReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                storage_shares: components["schemas"]["StorageShare"][];
            };
            message: string;
            statusCode: number;
        };
        /**
         * @description `error`: its host cannot make or change it, as `error` says; `deleted`: its host is removing it
         * @enum {string}
         */
        StorageShareState: "creating" | "ready" | "error" | "deleted";
        StorageSnapshot: {
            bytes: number | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            error: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            /** @description the time at which it was asked for, unless a name was given */
            name: string;
            /** @description whether the share's schedule asked for it */
            scheduled: boolean;
            /**
             * @description `creating`: its host has not made it yet
             * @enum {string}
             */
            state: "creating" | "ready" | "error";
        };
        StorageSnapshotReply: {
            data: components["schemas"]["StorageSnapshot"];
            message: string;
            statusCode: number;
        };
        StorageSnapshotsReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                snapshots: components["schemas"]["StorageSnapshot"][];
            };
            message: string;
            statusCode: number;
        };
        Suspension: {
            by_id: string | null;
            reason: string;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            since: string;
        };
        /**
         * @description how `input`, `stdout` and `stderr` are written. In `utf-8`, which is the default, bytes of the output that are not UTF-8 are replaced by U+FFFD; `base64` has every byte
         * @enum {string}
         */
        TextEncoding: "utf-8" | "base64";
        /** @enum {string} */
        TimeSort: "created_at" | "-created_at";
        ToggleEgressRule: {
            action?: components["schemas"]["Action"];
            description?: string;
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            destination?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol?: components["schemas"]["Protocol"];
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            state: components["schemas"]["RuleState"];
        };
        ToggleIngressRule: {
            action?: components["schemas"]["Action"];
            description?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            destination_port?: string;
            /** @description 0 to 255 */
            icmp_code?: string;
            /** @description 0 to 255 */
            icmp_type?: string;
            protocol?: components["schemas"]["Protocol"];
            /**
             * @description IPv4 address or CIDR; 0.0.0.0/0 means any
             * @example 10.0.0.0/8
             */
            source?: string;
            /**
             * @description one port, a range such as 80-90, or a comma list
             * @example 80,443,8000-8100
             */
            source_port?: string;
            state: components["schemas"]["RuleState"];
        };
        TokenCreatedReply: {
            data: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                expires_at: string | null;
                /** @description 24 hexadecimal characters */
                id: string;
                name: string;
                permissions: components["schemas"]["PermissionName"][];
                realm_id: string | null;
                token: string | null;
            };
            message: string;
            statusCode: number;
        };
        TokensReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                tokens: components["schemas"]["ApiToken"][];
            };
            message: string;
            statusCode: number;
        };
        /** @description 429: `code` says why */
        TooManyRequestsError: {
            /** @enum {string} */
            code: "RATE_LIMITED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 429;
        };
        TopUp: {
            /**
             * @description an amount in USD with at most two decimals, such as 25 or 25.50
             * @example 25.00
             */
            amount: string;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
        };
        TotpSetupReply: {
            data: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                expires_at: string;
                /** @description `uri` as a picture to scan (SVG) */
                qr_code: string;
                /** @description base32, to type into the app */
                secret: string;
                /** @description for `PUT /api/v1/auth/second-factor/totp` */
                setup: string;
                /** @description `otpauth://…`, for an app on the same device */
                uri: string;
            };
            message: string;
            statusCode: number;
        };
        Transaction: {
            /**
             * @description USD, with at most two decimals
             * @example 25.5
             */
            amount: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            /** @example USD */
            currency: string;
            /** @description 24 hexadecimal characters */
            id: string;
            reason: string;
            refund_of: string | null;
            refund_of_reason: string | null;
            /** @description `completed` */
            status: string;
            transaction_type: components["schemas"]["TransactionType"];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            /** @description 24 hexadecimal characters */
            user_id: string;
        };
        TransactionReply: {
            data: components["schemas"]["Transaction"];
            message: string;
            statusCode: number;
        };
        TransactionsReply: {
            data: components["schemas"]["Transaction"][];
            message: string;
            pagination: components["schemas"]["CountedPagination"];
            statusCode: number;
        };
        /**
         * @description `credit`, `top_up`, `bonus` and `refund` raise the general balance, all others lower it
         * @enum {string}
         */
        TransactionType: "ai_credit_transfer" | "credit" | "top_up" | "bonus" | "rental" | "rental_extension" | "reservation" | "image_purchase" | "refund" | "forfeit";
        Transfer: {
            /**
             * @description an amount in USD with at most two decimals, such as 25 or 25.50
             * @example 25.00
             */
            amount: string;
            /** @description the fee that the client displayed, basis points */
            expected_fee_bps?: number;
            /** @description 1 to 128 characters, not only white space, chosen by the caller; the same key never acts twice */
            idempotency_key?: string;
        };
        TransferReply: {
            data: {
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                ai_balance: string;
                /**
                 * @description the platform's share, rounded half-up to the cent: at 500 basis points an amount below 0.10 costs nothing
                 * @example 1.25
                 */
                fee: string;
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                general_balance: string;
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                gross_transferred: string;
                /** @description the key at the provider was created for this transfer */
                key_created: boolean;
                /** @description the provider does not have this credit yet; it is synced without any further request */
                limit_sync_pending: boolean;
                /**
                 * @description decimal string, USD
                 * @example 475.00
                 */
                net_ai_credit: string;
                /** @description the key was used before; no money moved */
                replayed: boolean;
            };
            message: string;
            statusCode: number;
        };
        /** @description 401: `code` says why */
        UnauthorizedError: {
            /** @enum {string} */
            code: "INVALID_CREDENTIALS" | "INVALID_TOKEN" | "MISSING_TOKEN" | "SECOND_FACTOR_REQUIRED";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 401;
        };
        /** @description 422: `code` says why */
        UnprocessableEntityError: {
            /** @enum {string} */
            code: "INVALID_IMAGE_ID";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 422;
        };
        /** @description 415: `code` says why */
        UnsupportedMediaTypeError: {
            /** @enum {string} */
            code: "UNSUPPORTED_MEDIA_TYPE";
            data?: {
                [key: string]: unknown;
            };
            /** @description the status in words */
            error: string;
            message: string;
            /** @constant */
            statusCode: 415;
        };
        UpdateContainer: {
            /** @description arguments of `command`, or of the image's entry point in place of the image's own. Empty: the image's own */
            args?: string[];
            /** @description the program and its first arguments, in place of the image's entry point; the image's own arguments are left out then. Empty: the image's own */
            command?: string[];
            env?: components["schemas"]["Env"];
            health_check?: components["schemas"]["AskedHealthCheck"];
            labels?: components["schemas"]["Labels"];
            /** @description 1 to 63 characters of a-z, 0-9 and hyphen; the hyphen neither first nor last */
            name?: string;
            /** @description names for ports, which aliases can use in place of a number; `protocol` is `http` unless told. They open nothing: access is a matter of the firewall and the aliases */
            ports?: components["schemas"]["AskedPort"][];
            resources?: components["schemas"]["AskedResources"];
            restart_policy?: components["schemas"]["AskedRestartPolicy"];
            /** @description how long it may take to end when it is stopped, before it is killed; 5 unless told */
            stop_grace_seconds?: number;
            stop_signal?: components["schemas"]["StopSignal"];
        };
        UpdateProject: {
            /** @description any text, also of several lines */
            description?: string;
            /** @description not blank, without control characters and without those that change the direction of text */
            name?: string;
        };
        User: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            email: string;
            /** @description 24 hexadecimal characters */
            id: string;
            role: components["schemas"]["UserRole"];
            username: string;
        };
        UserImage: {
            alias: string;
            architecture: string;
            /** @description rounded to the hundredth; 0: no ratings */
            average_rating: number;
            /** @description when the user got it */
            created_at: string;
            description: string;
            has_rated: boolean;
            /** @description path of its icon */
            icon_url: string;
            /** @description 24 hexadecimal characters */
            id: string;
            image_name: string;
            os: string;
            prespawn: boolean;
            /** @description USD; 0: free */
            price: number;
            rating_count: number;
            release: string;
            /** @description bytes */
            size: number;
            /** @enum {string} */
            source: "imported" | "purchased";
            tags: string[];
            user_rating: number | null;
            variant: string;
        };
        UserImagesReply: {
            data: {
                images: components["schemas"]["UserImage"][];
                pagination: components["schemas"]["Pagination"];
            };
            message: string;
            statusCode: number;
        };
        UserRecord: {
            /** @description the number of valid API tokens */
            api_tokens: number;
            /** @description the newest 100 that the user made, without deleted ones; containers of pools that others made are not here */
            containers: {
                /** @description 24 hexadecimal characters */
                id: string;
                name: string;
                /** @description 24 hexadecimal characters */
                project_id: string;
                /** @description 24 hexadecimal characters */
                server_id: string;
                server_name: string;
                state: string;
            }[];
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            deleted_at: string | null;
            email: string;
            /** @description whether somebody proved to read mail at the address */
            email_verified: boolean;
            /**
             * @description decimal string, USD
             * @example 475.00
             */
            general_balance: string;
            /** @description 24 hexadecimal characters */
            id: string;
            last_signed_in_at: string | null;
            /** @description the newest 100, also those that ended */
            rentals: components["schemas"]["Rental"][];
            role: components["schemas"]["UserRole"];
            /** @description whether the sign-in takes a second factor */
            second_factor: boolean;
            /** @description the number of active sessions */
            sessions: number;
            status: components["schemas"]["UserStatus"];
            suspension: components["schemas"]["Suspension"] | null;
            username: string;
        };
        UserRecordReply: {
            data: components["schemas"]["UserRecord"];
            message: string;
            statusCode: number;
        };
        UserReply: {
            data: components["schemas"]["User"];
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        UserRole: "user" | "admin";
        UsersReply: {
            data: {
                pagination: components["schemas"]["CursorPagination"];
                total: number;
                users: components["schemas"]["ManagedUser"][];
            };
            message: string;
            statusCode: number;
        };
        /** @enum {string} */
        UserStatus: "active" | "suspended" | "deleted";
        VerifyEmail: {
            /** @description the token of a recovery link */
            token: string;
        };
        Volume: {
            /**
             * @description absolute, without `.` and `..`; not `/`, not `/etc`, not in `/proc`, `/sys`, `/dev` or `/.berth`; not within another volume's path
             * @example /var/lib/postgresql/data
             */
            path: string;
            /** @description true: programs of the container cannot change the files */
            read_only: boolean;
            /** @description 24 hexadecimal characters */
            share_id: string;
        };
        VolumeRequest: {
            /**
             * @description absolute, without `.` and `..`; not `/`, not `/etc`, not in `/proc`, `/sys`, `/dev` or `/.berth`; not within another volume's path
             * @example /var/lib/postgresql/data
             */
            path: string;
            /** @description false unless told */
            read_only?: boolean;
            /** @description 24 hexadecimal characters */
            share_id: string;
        };
        WantedProject: {
            /** @description one for each service, each behind those that it depends on */
            containers: {
                aliases: {
                    at: components["schemas"]["ComposePlace"];
                    name: string;
                    port: (number | string) | null;
                    program: string;
                }[];
                env: {
                    name: string;
                    secret: boolean;
                    value: string;
                }[];
                firewall: {
                    [key: string]: unknown;
                }[] | null;
                image: string | null;
                name: string;
                /** @description the name of its server */
                server: string;
                service: string;
                settings: {
                    args: string[];
                    command: string[];
                    health_check: {
                        command: string[];
                        enabled: boolean;
                        interval_seconds: number | null;
                        restart: boolean;
                        retries: number | null;
                        start_period_seconds: number | null;
                        timeout_seconds: number | null;
                    };
                    labels: {
                        [key: string]: string;
                    };
                    ports: {
                        name: string;
                        port: number;
                        protocol: string;
                    }[];
                    resources: {
                        bandwidth_mbps: number | null;
                        cpu_cores: number | null;
                        disk_bytes: number | null;
                        memory_bytes: number | null;
                    };
                    restart_policy: {
                        max_retries: number | null;
                        name: string;
                    };
                    stop_grace_seconds: number;
                    stop_signal: string | null;
                };
                volumes: {
                    path: string;
                    read_only: boolean;
                    share: string;
                }[];
            }[];
            /** @description of the project */
            name: string;
            shares: {
                at: components["schemas"]["ComposePlace"];
                name: string;
                server: string;
                size_bytes: number | null;
            }[];
        };
        WantedProjectReply: {
            data: components["schemas"]["WantedProject"];
            message: string;
            statusCode: number;
        };
        Webhook: {
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            description: string;
            disabled_reason: components["schemas"]["DisabledReason"] | null;
            enabled: boolean;
            event_types: components["schemas"]["EventType"][] | null;
            /** @description 24 hexadecimal characters */
            id: string;
            previous_secret_until: string | null;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            updated_at: string;
            url: string;
        };
        WebhookDelivery: {
            attempts: number;
            /**
             * @description ISO 8601 UTC with milliseconds
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            duration_ms: number | null;
            error: string | null;
            /** @description an event type, or `webhook.test` */
            event_type: string;
            finished_at: string | null;
            /** @description 24 hexadecimal characters */
            id: string;
            last_attempt_at: string | null;
            /** @description the header `webhook-id`: the event's id, also of a redelivery; of a test an id of its own */
            message_id: string;
            next_attempt_at: string | null;
            response_body: string | null;
            response_status: number | null;
            status: components["schemas"]["DeliveryStatus"];
            /** @description 24 hexadecimal characters */
            webhook_id: string;
        };
        WebhookReply: {
            data: components["schemas"]["Webhook"];
            message: string;
            statusCode: number;
        };
        WebhookSecretReply: {
            data: {
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                created_at: string;
                description: string;
                disabled_reason: components["schemas"]["DisabledReason"] | null;
                enabled: boolean;
                event_types: components["schemas"]["EventType"][] | null;
                /** @description 24 hexadecimal characters */
                id: string;
                previous_secret_until: string | null;
                secret: string | null;
                /**
                 * @description ISO 8601 UTC with milliseconds
                 * @example 2026-01-31T09:30:00.000Z
                 */
                updated_at: string;
                url: string;
            };
            message: string;
            statusCode: number;
        };
        WebhooksReply: {
            data: {
                /** @description how many match, on all pages */
                count: number;
                pagination: components["schemas"]["CursorPagination"];
                webhooks: components["schemas"]["Webhook"][];
            };
            message: string;
            statusCode: number;
        };
    };
    responses: {
        /** @description Bad Gateway */
        BadGatewayError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadGatewayError"];
            };
        };
        /** @description Bad Request */
        BadRequestError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        /** @description Conflict */
        ConflictError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        /** @description Forbidden */
        ForbiddenError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description Internal Server Error */
        InternalServerError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalServerError"];
            };
        };
        /** @description Not Found */
        NotFoundError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description Payload Too Large */
        PayloadTooLargeError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description Precondition Failed */
        PreconditionFailedError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedError"];
            };
        };
        /** @description Precondition Required */
        PreconditionRequiredError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionRequiredError"];
            };
        };
        /** @description Service Unavailable */
        ServiceUnavailableError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description Too Many Requests */
        TooManyRequestsError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description Unauthorized */
        UnauthorizedError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description Unprocessable Entity */
        UnprocessableEntityError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnprocessableEntityError"];
            };
        };
        /** @description Unsupported Media Type */
        UnsupportedMediaTypeError: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description always Bearer */
        Authenticate: string;
        /** @description what is left of them, such as `"account";r=5999;t=60`: 5999 more, and all again in 60 seconds */
        RateLimit: string;
        /** @description the limits of requests, such as `"account";q=6000;w=60`: 6000 in 60 seconds */
        RateLimitPolicy: string;
        /** @description the request's id; the one that the caller sent, if any */
        RequestId: string;
        /** @description seconds to wait */
        RetryAfter: number;
    };
    pathItems: never;
}
export type AccessUrls = components['schemas']['AccessUrls'];
export type AccountBlocker = components['schemas']['AccountBlocker'];
export type AccountDeletedReply = components['schemas']['AccountDeletedReply'];
export type AccountDeletionCheck = components['schemas']['AccountDeletionCheck'];
export type AccountDeletionCheckReply = components['schemas']['AccountDeletionCheckReply'];
export type Action = components['schemas']['Action'];
export type AddDomain = components['schemas']['AddDomain'];
export type AddEgressRule = components['schemas']['AddEgressRule'];
export type AddIngressRule = components['schemas']['AddIngressRule'];
export type AdminAuditReply = components['schemas']['AdminAuditReply'];
export type AiBalance = components['schemas']['AiBalance'];
export type AiBalanceReply = components['schemas']['AiBalanceReply'];
export type AiFee = components['schemas']['AiFee'];
export type AiFeesReply = components['schemas']['AiFeesReply'];
export type Alias = components['schemas']['Alias'];
export type AliasesReply = components['schemas']['AliasesReply'];
export type AliasReply = components['schemas']['AliasReply'];
export type AliasSort = components['schemas']['AliasSort'];
export type AliasState = components['schemas']['AliasState'];
export type AmountTimeSort = components['schemas']['AmountTimeSort'];
export type ApiToken = components['schemas']['ApiToken'];
export type AppliedResources = components['schemas']['AppliedResources'];
export type Architecture = components['schemas']['Architecture'];
export type AskedHealthCheck = components['schemas']['AskedHealthCheck'];
export type AskedPort = components['schemas']['AskedPort'];
export type AskedResources = components['schemas']['AskedResources'];
export type AskedRestartPolicy = components['schemas']['AskedRestartPolicy'];
export type Attention = components['schemas']['Attention'];
export type AuditAct = components['schemas']['AuditAct'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditReply = components['schemas']['AuditReply'];
export type AutoExtend = components['schemas']['AutoExtend'];
export type AutoExtension = components['schemas']['AutoExtension'];
export type AvailableServer = components['schemas']['AvailableServer'];
export type AvailableServersReply = components['schemas']['AvailableServersReply'];
export type BadGatewayError = components['schemas']['BadGatewayError'];
export type BadRequestError = components['schemas']['BadRequestError'];
export type Balances = components['schemas']['Balances'];
export type BalancesReply = components['schemas']['BalancesReply'];
export type BeginDeviceSignIn = components['schemas']['BeginDeviceSignIn'];
export type BilledParty = components['schemas']['BilledParty'];
export type BillingDetails = components['schemas']['BillingDetails'];
export type BillingDetailsReply = components['schemas']['BillingDetailsReply'];
export type BonusClaim = components['schemas']['BonusClaim'];
export type BonusStatus = components['schemas']['BonusStatus'];
export type BonusStatusReply = components['schemas']['BonusStatusReply'];
export type Buyer = components['schemas']['Buyer'];
export type CatalogueImage = components['schemas']['CatalogueImage'];
export type CatalogueImageReply = components['schemas']['CatalogueImageReply'];
export type CatalogueImagesReply = components['schemas']['CatalogueImagesReply'];
export type CertificatePurpose = components['schemas']['CertificatePurpose'];
export type CertificateRecord = components['schemas']['CertificateRecord'];
export type CertificateReply = components['schemas']['CertificateReply'];
export type CertificateSort = components['schemas']['CertificateSort'];
export type CertificatesReply = components['schemas']['CertificatesReply'];
export type CertificateState = components['schemas']['CertificateState'];
export type ChangeEmail = components['schemas']['ChangeEmail'];
export type ChangeHost = components['schemas']['ChangeHost'];
export type ChangeImage = components['schemas']['ChangeImage'];
export type ChangeMember = components['schemas']['ChangeMember'];
export type ChangeOffer = components['schemas']['ChangeOffer'];
export type ChangePassword = components['schemas']['ChangePassword'];
export type ChangePaymentMethod = components['schemas']['ChangePaymentMethod'];
export type ChangePool = components['schemas']['ChangePool'];
export type ChangeServer = components['schemas']['ChangeServer'];
export type ChangeUser = components['schemas']['ChangeUser'];
export type ChargedRentalReply = components['schemas']['ChargedRentalReply'];
export type CheckoutReply = components['schemas']['CheckoutReply'];
export type ClaimOutcome = components['schemas']['ClaimOutcome'];
export type ClaimReply = components['schemas']['ClaimReply'];
export type CleanupEvents = components['schemas']['CleanupEvents'];
export type ClusterReply = components['schemas']['ClusterReply'];
export type CommandResult = components['schemas']['CommandResult'];
export type CommandResultReply = components['schemas']['CommandResultReply'];
export type ComposePlace = components['schemas']['ComposePlace'];
export type ConflictError = components['schemas']['ConflictError'];
export type Container = components['schemas']['Container'];
export type ContainerAccess = components['schemas']['ContainerAccess'];
export type ContainerAccessReply = components['schemas']['ContainerAccessReply'];
export type ContainerExit = components['schemas']['ContainerExit'];
export type ContainerHealth = components['schemas']['ContainerHealth'];
export type ContainerImage = components['schemas']['ContainerImage'];
export type ContainerLog = components['schemas']['ContainerLog'];
export type ContainerLogReply = components['schemas']['ContainerLogReply'];
export type ContainerMetrics = components['schemas']['ContainerMetrics'];
export type ContainerMetricsReply = components['schemas']['ContainerMetricsReply'];
export type ContainerPermission = components['schemas']['ContainerPermission'];
export type ContainerPermissionReply = components['schemas']['ContainerPermissionReply'];
export type ContainerPermissionsReply = components['schemas']['ContainerPermissionsReply'];
export type ContainerPort = components['schemas']['ContainerPort'];
export type ContainerReply = components['schemas']['ContainerReply'];
export type ContainersReply = components['schemas']['ContainersReply'];
export type ContainerState = components['schemas']['ContainerState'];
export type ContainerUsage = components['schemas']['ContainerUsage'];
export type CorrectedSale = components['schemas']['CorrectedSale'];
export type CountedPagination = components['schemas']['CountedPagination'];
export type CreateAlias = components['schemas']['CreateAlias'];
export type CreateContainer = components['schemas']['CreateContainer'];
export type CreateHost = components['schemas']['CreateHost'];
export type CreateImage = components['schemas']['CreateImage'];
export type CreateNotification = components['schemas']['CreateNotification'];
export type CreateOffer = components['schemas']['CreateOffer'];
export type CreatePasskey = components['schemas']['CreatePasskey'];
export type CreatePaymentMethod = components['schemas']['CreatePaymentMethod'];
export type CreatePool = components['schemas']['CreatePool'];
export type CreateProject = components['schemas']['CreateProject'];
export type CreateServer = components['schemas']['CreateServer'];
export type CreateSnapshot = components['schemas']['CreateSnapshot'];
export type CreateStorageShare = components['schemas']['CreateStorageShare'];
export type CreateToken = components['schemas']['CreateToken'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type Credit = components['schemas']['Credit'];
export type CreditReply = components['schemas']['CreditReply'];
export type CryptoInvoiceReply = components['schemas']['CryptoInvoiceReply'];
export type CursorPagination = components['schemas']['CursorPagination'];
export type DeleteAccount = components['schemas']['DeleteAccount'];
export type DeleteEvents = components['schemas']['DeleteEvents'];
export type DeleteUser = components['schemas']['DeleteUser'];
export type DeliveriesReply = components['schemas']['DeliveriesReply'];
export type DeliveryQueuedReply = components['schemas']['DeliveryQueuedReply'];
export type DeliveryReply = components['schemas']['DeliveryReply'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Details = components['schemas']['Details'];
export type DeviceSignIn = components['schemas']['DeviceSignIn'];
export type DeviceSignInBegunReply = components['schemas']['DeviceSignInBegunReply'];
export type DeviceSignInReply = components['schemas']['DeviceSignInReply'];
export type DeviceSignInStatus = components['schemas']['DeviceSignInStatus'];
export type Direction = components['schemas']['Direction'];
export type DisabledReason = components['schemas']['DisabledReason'];
export type Domain = components['schemas']['Domain'];
export type DomainProof = components['schemas']['DomainProof'];
export type DomainReply = components['schemas']['DomainReply'];
export type DomainSort = components['schemas']['DomainSort'];
export type DomainsPageReply = components['schemas']['DomainsPageReply'];
export type DomainsReply = components['schemas']['DomainsReply'];
export type DomainState = components['schemas']['DomainState'];
export type EmptyReply = components['schemas']['EmptyReply'];
export type EnableTotp = components['schemas']['EnableTotp'];
export type EndedRental = components['schemas']['EndedRental'];
export type EndRental = components['schemas']['EndRental'];
export type EnrolHost = components['schemas']['EnrolHost'];
export type Env = components['schemas']['Env'];
export type EnvVariable = components['schemas']['EnvVariable'];
export type EventRecord = components['schemas']['EventRecord'];
export type EventReply = components['schemas']['EventReply'];
export type EventsCleanedReply = components['schemas']['EventsCleanedReply'];
export type EventsDeletedReply = components['schemas']['EventsDeletedReply'];
export type EventsReply = components['schemas']['EventsReply'];
export type EventStatsReply = components['schemas']['EventStatsReply'];
export type EventType = components['schemas']['EventType'];
export type EverybodysEventsReply = components['schemas']['EverybodysEventsReply'];
export type Extend = components['schemas']['Extend'];
export type FactorAddedReply = components['schemas']['FactorAddedReply'];
export type FirewallAddReply = components['schemas']['FirewallAddReply'];
export type FirewallApplied = components['schemas']['FirewallApplied'];
export type FirewallListing = components['schemas']['FirewallListing'];
export type FirewallListingReply = components['schemas']['FirewallListingReply'];
export type FirewallRemoveReply = components['schemas']['FirewallRemoveReply'];
export type FirewallReplaceReply = components['schemas']['FirewallReplaceReply'];
export type FirewallResetReply = components['schemas']['FirewallResetReply'];
export type FirewallRule = components['schemas']['FirewallRule'];
export type FirewallToggleReply = components['schemas']['FirewallToggleReply'];
export type ForbiddenError = components['schemas']['ForbiddenError'];
export type GeneralBalance = components['schemas']['GeneralBalance'];
export type GeneralBalanceReply = components['schemas']['GeneralBalanceReply'];
export type GrantPermission = components['schemas']['GrantPermission'];
export type HealthCheck = components['schemas']['HealthCheck'];
export type Holdings = components['schemas']['Holdings'];
export type HostCredential = components['schemas']['HostCredential'];
export type HostCredentialReply = components['schemas']['HostCredentialReply'];
export type HostFacts = components['schemas']['HostFacts'];
export type HostRecord = components['schemas']['HostRecord'];
export type HostReply = components['schemas']['HostReply'];
export type HostsReply = components['schemas']['HostsReply'];
export type HostStatus = components['schemas']['HostStatus'];
export type HostTokenReply = components['schemas']['HostTokenReply'];
export type Impersonate = components['schemas']['Impersonate'];
export type ImportReply = components['schemas']['ImportReply'];
export type InboxEntry = components['schemas']['InboxEntry'];
export type IntentReply = components['schemas']['IntentReply'];
export type IntentsReply = components['schemas']['IntentsReply'];
export type InternalServerError = components['schemas']['InternalServerError'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationReply = components['schemas']['InvitationReply'];
export type InvitationsReply = components['schemas']['InvitationsReply'];
export type InviteMember = components['schemas']['InviteMember'];
export type Invoice = components['schemas']['Invoice'];
export type InvoicedTransaction = components['schemas']['InvoicedTransaction'];
export type InvoiceItem = components['schemas']['InvoiceItem'];
export type InvoiceReply = components['schemas']['InvoiceReply'];
export type InvoicesReply = components['schemas']['InvoicesReply'];
export type IssuedInvoice = components['schemas']['IssuedInvoice'];
export type IssuedInvoiceReply = components['schemas']['IssuedInvoiceReply'];
export type KeptRecord = components['schemas']['KeptRecord'];
export type Labels = components['schemas']['Labels'];
export type Level = components['schemas']['Level'];
export type LinkBegun = components['schemas']['LinkBegun'];
export type LinkBegunReply = components['schemas']['LinkBegunReply'];
export type Linked = components['schemas']['Linked'];
export type LinkedReply = components['schemas']['LinkedReply'];
export type ListedInvoice = components['schemas']['ListedInvoice'];
export type ListedRule = components['schemas']['ListedRule'];
export type Login = components['schemas']['Login'];
export type LoginPasskey = components['schemas']['LoginPasskey'];
export type LoginSecondFactor = components['schemas']['LoginSecondFactor'];
export type LogLine = components['schemas']['LogLine'];
export type LogStreamName = components['schemas']['LogStreamName'];
export type MailSettings = components['schemas']['MailSettings'];
export type MailSettingsReply = components['schemas']['MailSettingsReply'];
export type ManagedContainer = components['schemas']['ManagedContainer'];
export type ManagedContainersReply = components['schemas']['ManagedContainersReply'];
export type ManagedInvoicesReply = components['schemas']['ManagedInvoicesReply'];
export type ManagedReservationsReply = components['schemas']['ManagedReservationsReply'];
export type ManagedTransaction = components['schemas']['ManagedTransaction'];
export type ManagedTransactionReply = components['schemas']['ManagedTransactionReply'];
export type ManagedTransactionsReply = components['schemas']['ManagedTransactionsReply'];
export type ManagedUser = components['schemas']['ManagedUser'];
export type MemberReply = components['schemas']['MemberReply'];
export type MemberRole = components['schemas']['MemberRole'];
export type MetricsSeries = components['schemas']['MetricsSeries'];
export type NamedTimeSort = components['schemas']['NamedTimeSort'];
export type NextCursor = components['schemas']['NextCursor'];
export type NotFoundError = components['schemas']['NotFoundError'];
export type Notification = components['schemas']['Notification'];
export type NotificationReply = components['schemas']['NotificationReply'];
export type NotificationsReply = components['schemas']['NotificationsReply'];
export type NotificationSummaryReply = components['schemas']['NotificationSummaryReply'];
export type Offer = components['schemas']['Offer'];
export type OfferReply = components['schemas']['OfferReply'];
export type OfferSort = components['schemas']['OfferSort'];
export type OffersReply = components['schemas']['OffersReply'];
export type OneAliasReply = components['schemas']['OneAliasReply'];
export type OverviewReply = components['schemas']['OverviewReply'];
export type Pagination = components['schemas']['Pagination'];
export type PasskeyAddedReply = components['schemas']['PasskeyAddedReply'];
export type PasskeyAssertion = components['schemas']['PasskeyAssertion'];
export type PasskeyChallenge = components['schemas']['PasskeyChallenge'];
export type PasskeyChallengeReply = components['schemas']['PasskeyChallengeReply'];
export type PasskeyCreationReply = components['schemas']['PasskeyCreationReply'];
export type PasskeyRecord = components['schemas']['PasskeyRecord'];
export type PasskeyRegistration = components['schemas']['PasskeyRegistration'];
export type PatchAlias = components['schemas']['PatchAlias'];
export type PatchMailSettings = components['schemas']['PatchMailSettings'];
export type PatchStorageShare = components['schemas']['PatchStorageShare'];
export type PatchWebhook = components['schemas']['PatchWebhook'];
export type PayloadTooLargeError = components['schemas']['PayloadTooLargeError'];
export type PaymentAvailability = components['schemas']['PaymentAvailability'];
export type PaymentAvailabilityReply = components['schemas']['PaymentAvailabilityReply'];
export type PaymentIntent = components['schemas']['PaymentIntent'];
export type PaymentMethod = components['schemas']['PaymentMethod'];
export type PaymentMethodReply = components['schemas']['PaymentMethodReply'];
export type PaymentMethodsReply = components['schemas']['PaymentMethodsReply'];
export type PaymentMethodStatus = components['schemas']['PaymentMethodStatus'];
export type PaymentProvider = components['schemas']['PaymentProvider'];
export type PaymentReview = components['schemas']['PaymentReview'];
export type PermissionName = components['schemas']['PermissionName'];
export type PermittedServices = components['schemas']['PermittedServices'];
export type PoolDetail = components['schemas']['PoolDetail'];
export type PoolMember = components['schemas']['PoolMember'];
export type PoolReply = components['schemas']['PoolReply'];
export type PoolsReply = components['schemas']['PoolsReply'];
export type PoolSummary = components['schemas']['PoolSummary'];
export type PortProtocol = components['schemas']['PortProtocol'];
export type PreconditionFailedError = components['schemas']['PreconditionFailedError'];
export type PreconditionRequiredError = components['schemas']['PreconditionRequiredError'];
export type PreparedImage = components['schemas']['PreparedImage'];
export type Prices = components['schemas']['Prices'];
export type PrivilegedAct = components['schemas']['PrivilegedAct'];
export type PrivilegedEntry = components['schemas']['PrivilegedEntry'];
export type Project = components['schemas']['Project'];
export type ProjectReply = components['schemas']['ProjectReply'];
export type ProjectsReply = components['schemas']['ProjectsReply'];
export type Protocol = components['schemas']['Protocol'];
export type Proven = components['schemas']['Proven'];
export type ProviderAvailability = components['schemas']['ProviderAvailability'];
export type PublicImage = components['schemas']['PublicImage'];
export type PublicImageDetail = components['schemas']['PublicImageDetail'];
export type PublicImageReply = components['schemas']['PublicImageReply'];
export type PublicImagesReply = components['schemas']['PublicImagesReply'];
export type PublicNotification = components['schemas']['PublicNotification'];
export type PublicNotificationsReply = components['schemas']['PublicNotificationsReply'];
export type PurchaseReply = components['schemas']['PurchaseReply'];
export type PutRegistryCredential = components['schemas']['PutRegistryCredential'];
export type QueryFlag = components['schemas']['QueryFlag'];
export type QuotasReply = components['schemas']['QuotasReply'];
export type QuotaUse = components['schemas']['QuotaUse'];
export type Rate = components['schemas']['Rate'];
export type RateReply = components['schemas']['RateReply'];
export type ReadAllReply = components['schemas']['ReadAllReply'];
export type ReadComposeFile = components['schemas']['ReadComposeFile'];
export type ReadReply = components['schemas']['ReadReply'];
export type RealmSession = components['schemas']['RealmSession'];
export type Recover = components['schemas']['Recover'];
export type RecoveryCodesReply = components['schemas']['RecoveryCodesReply'];
export type RecoveryStartedReply = components['schemas']['RecoveryStartedReply'];
export type RedeemDeviceCode = components['schemas']['RedeemDeviceCode'];
export type RefreshToken = components['schemas']['RefreshToken'];
export type RefundReply = components['schemas']['RefundReply'];
export type RefundTransaction = components['schemas']['RefundTransaction'];
export type RegistryCredential = components['schemas']['RegistryCredential'];
export type RegistryCredentialReply = components['schemas']['RegistryCredentialReply'];
export type RegistryCredentialsReply = components['schemas']['RegistryCredentialsReply'];
export type RemovedHostReply = components['schemas']['RemovedHostReply'];
export type RemoveEgressRules = components['schemas']['RemoveEgressRules'];
export type RemoveIngressRules = components['schemas']['RemoveIngressRules'];
export type RenamePasskey = components['schemas']['RenamePasskey'];
export type Rent = components['schemas']['Rent'];
export type Rental = components['schemas']['Rental'];
export type RentalMetrics = components['schemas']['RentalMetrics'];
export type RentalMetricsReply = components['schemas']['RentalMetricsReply'];
export type RentalReply = components['schemas']['RentalReply'];
export type RentalSort = components['schemas']['RentalSort'];
export type RentalsReply = components['schemas']['RentalsReply'];
export type RentalStatus = components['schemas']['RentalStatus'];
export type ReplaceRules = components['schemas']['ReplaceRules'];
export type RequestRecovery = components['schemas']['RequestRecovery'];
export type Reservation = components['schemas']['Reservation'];
export type ReservationReply = components['schemas']['ReservationReply'];
export type ReservationsReply = components['schemas']['ReservationsReply'];
export type ReservationStatus = components['schemas']['ReservationStatus'];
export type Reserve = components['schemas']['Reserve'];
export type ResolveReview = components['schemas']['ResolveReview'];
export type ResourceType = components['schemas']['ResourceType'];
export type RestartPolicy = components['schemas']['RestartPolicy'];
export type RestartPolicyName = components['schemas']['RestartPolicyName'];
export type ReviewReply = components['schemas']['ReviewReply'];
export type ReviewsReply = components['schemas']['ReviewsReply'];
export type ReviewStatus = components['schemas']['ReviewStatus'];
export type Role = components['schemas']['Role'];
export type RotateSecret = components['schemas']['RotateSecret'];
export type RuleState = components['schemas']['RuleState'];
export type RunCommand = components['schemas']['RunCommand'];
export type RuntimeReply = components['schemas']['RuntimeReply'];
export type SecondFactorReply = components['schemas']['SecondFactorReply'];
export type SecondFactorStatus = components['schemas']['SecondFactorStatus'];
export type Seller = components['schemas']['Seller'];
export type ServerKind = components['schemas']['ServerKind'];
export type ServerSpecs = components['schemas']['ServerSpecs'];
export type ServerStatus = components['schemas']['ServerStatus'];
export type ServiceUnavailableError = components['schemas']['ServiceUnavailableError'];
export type ServiceUrls = components['schemas']['ServiceUrls'];
export type SessionInfo = components['schemas']['SessionInfo'];
export type SessionReply = components['schemas']['SessionReply'];
export type SessionsEndedReply = components['schemas']['SessionsEndedReply'];
export type SessionsReply = components['schemas']['SessionsReply'];
export type SetBillingDetails = components['schemas']['SetBillingDetails'];
export type SetRuleState = components['schemas']['SetRuleState'];
export type SetVolumes = components['schemas']['SetVolumes'];
export type ShortTokenReply = components['schemas']['ShortTokenReply'];
export type Signup = components['schemas']['Signup'];
export type SnapshotSchedule = components['schemas']['SnapshotSchedule'];
export type SortOrder = components['schemas']['SortOrder'];
export type SpaceUsage = components['schemas']['SpaceUsage'];
export type StartRecovery = components['schemas']['StartRecovery'];
export type Statement = components['schemas']['Statement'];
export type StatementReply = components['schemas']['StatementReply'];
export type StockImport = components['schemas']['StockImport'];
export type StockImportReply = components['schemas']['StockImportReply'];
export type StockServer = components['schemas']['StockServer'];
export type StockServerReply = components['schemas']['StockServerReply'];
export type StockServersReply = components['schemas']['StockServersReply'];
export type StopSignal = components['schemas']['StopSignal'];
export type StorageShare = components['schemas']['StorageShare'];
export type StorageShareReply = components['schemas']['StorageShareReply'];
export type StorageSharesReply = components['schemas']['StorageSharesReply'];
export type StorageShareState = components['schemas']['StorageShareState'];
export type StorageSnapshot = components['schemas']['StorageSnapshot'];
export type StorageSnapshotReply = components['schemas']['StorageSnapshotReply'];
export type StorageSnapshotsReply = components['schemas']['StorageSnapshotsReply'];
export type Suspension = components['schemas']['Suspension'];
export type TextEncoding = components['schemas']['TextEncoding'];
export type TimeSort = components['schemas']['TimeSort'];
export type ToggleEgressRule = components['schemas']['ToggleEgressRule'];
export type ToggleIngressRule = components['schemas']['ToggleIngressRule'];
export type TokenCreatedReply = components['schemas']['TokenCreatedReply'];
export type TokensReply = components['schemas']['TokensReply'];
export type TooManyRequestsError = components['schemas']['TooManyRequestsError'];
export type TopUp = components['schemas']['TopUp'];
export type TotpSetupReply = components['schemas']['TotpSetupReply'];
export type Transaction = components['schemas']['Transaction'];
export type TransactionReply = components['schemas']['TransactionReply'];
export type TransactionsReply = components['schemas']['TransactionsReply'];
export type TransactionType = components['schemas']['TransactionType'];
export type Transfer = components['schemas']['Transfer'];
export type TransferReply = components['schemas']['TransferReply'];
export type UnauthorizedError = components['schemas']['UnauthorizedError'];
export type UnprocessableEntityError = components['schemas']['UnprocessableEntityError'];
export type UnsupportedMediaTypeError = components['schemas']['UnsupportedMediaTypeError'];
export type UpdateContainer = components['schemas']['UpdateContainer'];
export type UpdateProject = components['schemas']['UpdateProject'];
export type User = components['schemas']['User'];
export type UserImage = components['schemas']['UserImage'];
export type UserImagesReply = components['schemas']['UserImagesReply'];
export type UserRecord = components['schemas']['UserRecord'];
export type UserRecordReply = components['schemas']['UserRecordReply'];
export type UserReply = components['schemas']['UserReply'];
export type UserRole = components['schemas']['UserRole'];
export type UsersReply = components['schemas']['UsersReply'];
export type UserStatus = components['schemas']['UserStatus'];
export type VerifyEmail = components['schemas']['VerifyEmail'];
export type Volume = components['schemas']['Volume'];
export type VolumeRequest = components['schemas']['VolumeRequest'];
export type WantedProject = components['schemas']['WantedProject'];
export type WantedProjectReply = components['schemas']['WantedProjectReply'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookReply = components['schemas']['WebhookReply'];
export type WebhookSecretReply = components['schemas']['WebhookSecretReply'];
export type WebhooksReply = components['schemas']['WebhooksReply'];
export type ResponseBadGatewayError = components['responses']['BadGatewayError'];
export type ResponseBadRequestError = components['responses']['BadRequestError'];
export type ResponseConflictError = components['responses']['ConflictError'];
export type ResponseForbiddenError = components['responses']['ForbiddenError'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotFoundError = components['responses']['NotFoundError'];
export type ResponsePayloadTooLargeError = components['responses']['PayloadTooLargeError'];
export type ResponsePreconditionFailedError = components['responses']['PreconditionFailedError'];
export type ResponsePreconditionRequiredError = components['responses']['PreconditionRequiredError'];
export type ResponseServiceUnavailableError = components['responses']['ServiceUnavailableError'];
export type ResponseTooManyRequestsError = components['responses']['TooManyRequestsError'];
export type ResponseUnauthorizedError = components['responses']['UnauthorizedError'];
export type ResponseUnprocessableEntityError = components['responses']['UnprocessableEntityError'];
export type ResponseUnsupportedMediaTypeError = components['responses']['UnsupportedMediaTypeError'];
export type HeaderAuthenticate = components['headers']['Authenticate'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    getKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminAudit: {
        parameters: {
            query?: {
                act?: components["schemas"]["PrivilegedAct"];
                by_id?: string;
                cursor?: string;
                end_date?: string;
                limit?: string;
                request_id?: string;
                resource_id?: string;
                sort?: components["schemas"]["TimeSort"];
                start_date?: string;
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminCertificates: {
        parameters: {
            query?: {
                cursor?: string;
                ends_before?: string;
                limit?: string;
                purpose?: components["schemas"]["CertificatePurpose"];
                search?: string;
                sort?: components["schemas"]["CertificateSort"];
                state?: components["schemas"]["CertificateState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificatesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    retryAdminCertificate: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CertificateReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CERTIFICATE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminContainers: {
        parameters: {
            query?: {
                cursor?: string;
                host?: string;
                limit?: string;
                search?: string;
                server_id?: string;
                sort?: "created_at" | "-created_at" | "name" | "-name" | "username" | "-username" | "server_name" | "-server_name";
                state?: components["schemas"]["ContainerState"];
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedContainersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminEvents: {
        parameters: {
            query?: {
                cursor?: string;
                end_date?: string;
                event_type?: components["schemas"]["EventType"];
                limit?: string;
                resource_id?: string;
                resource_type?: components["schemas"]["ResourceType"];
                sort?: components["schemas"]["TimeSort"];
                start_date?: string;
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EverybodysEventsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminHosts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createAdminHost: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateHost"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostTokenReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminHost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, HOST_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminHost: {
        parameters: {
            query?: {
                force?: components["schemas"]["QueryFlag"];
            };
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedHostReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, HOST_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: HOST_IN_USE */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAdminHost: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeHost"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, HOST_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    tokenAdminHost: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostTokenReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, HOST_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminImages: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                search?: string;
                sort?: "alias" | "-alias" | "added_date" | "-added_date" | "price" | "-price";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueImagesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createAdminImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateImage"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueImageReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAdminImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeImage"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueImageReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: NAME_TAKEN */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    setImageIcon: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueImageReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_ICON_FORMAT */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    sendNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateNotification"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, NOTIFICATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminOffers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["OfferSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OffersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createAdminOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOffer"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, OFFER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAdminOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeOffer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, OFFER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPaymentReviews: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                sort?: components["schemas"]["TimeSort"];
                status?: components["schemas"]["ReviewStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPaymentReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, REVIEW_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    resolvePaymentReview: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveReview"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, REVIEW_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: REVIEW_RESOLVED, REVIEW_NOT_CREDITABLE, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminReservations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                sort?: "delivery_due" | "-delivery_due" | "created_at" | "-created_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cancelAdminReservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RESERVATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RESERVATION_STATE_CONFLICT */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deliverAdminReservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description true: deliver the server although it is smaller than what was paid for */
                    accept_smaller?: boolean;
                    /** @description 24 hexadecimal characters */
                    server_id: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RESERVATION_NOT_FOUND, SERVER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RESERVATION_STATE_CONFLICT, SERVER_NOT_AVAILABLE, HOST_NOT_JOINED, HOST_DRAINING, SERVER_SMALLER_THAN_ORDERED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminServers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
                status?: components["schemas"]["ServerStatus"];
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockServersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createAdminServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateServer"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockServerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, SERVER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: SERVER_IN_USE */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAdminServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeServer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockServerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, SERVER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    exportStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the stock, a server a line */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    importStock: {
        parameters: {
            query?: {
                dry_run?: components["schemas"]["QueryFlag"];
            };
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockImportReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_CSV */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: STOCK_CHANGED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTransactionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, TRANSACTION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    refundAdminTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundTransaction"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, TRANSACTION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: NOT_REFUNDABLE, REFUND_EXCEEDS_CHARGE, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminUsers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                search?: string;
                sort?: "created_at" | "-created_at" | "username" | "-username" | "email" | "-email";
                status?: components["schemas"]["UserStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecordReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteUser"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED, ACCOUNT_IN_USE, BALANCE_LEFT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUser"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecordReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG, ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: LAST_ADMINISTRATOR, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminUserDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletionCheckReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminUserInvoices: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["AmountTimeSort"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedInvoicesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAdminUserInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                invoiceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the invoice */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, INVOICE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    startRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRecovery"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryStartedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminUserReservations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["TimeSort"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedReservationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    restoreAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRecovery"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecordReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ACCOUNT_STATE_CONFLICT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    suspendAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRecovery"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRecordReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ACCOUNT_STATE_CONFLICT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAdminUserTransactions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["AmountTimeSort"];
                transaction_type?: components["schemas"]["TransactionType"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedTransactionsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    creditWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credit"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED, BALANCE_LIMIT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteAccount"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: LAST_ADMINISTRATOR, IDEMPOTENCY_KEY_REUSED, ACCOUNT_IN_USE, BALANCE_LEFT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAccountDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountDeletionCheckReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                act?: components["schemas"]["AuditAct"];
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["TimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    beginCodehostLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkBegunReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: CODEHOST_NOT_CONFIGURED */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteCodehostLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    completeCodehostLink: {
        parameters: {
            query?: {
                code?: string;
                error?: string;
                error_description?: string;
                error_uri?: string;
                installation_id?: string;
                iss?: string;
                scope?: string;
                session_state?: string;
                setup_action?: string;
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CODEHOST_DENIED, CODEHOST_LINK_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Not Found: CODEHOST_NOT_CONFIGURED */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Bad Gateway: CODEHOST_FAILED */
            502: components["responses"]["BadGatewayError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    beginDeviceSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginDeviceSignIn"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInBegunReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getDeviceSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignInReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, DEVICE_CODE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    approveDeviceSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, DEVICE_CODE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, FORBIDDEN_ORIGIN */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    denyDeviceSignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                user_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, DEVICE_CODE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, FORBIDDEN_ORIGIN */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    redeemDeviceCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeemDeviceCode"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, AUTHORIZATION_PENDING, SLOW_DOWN, DEVICE_CODE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Forbidden: DEVICE_DENIED, ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeEmail"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: EMAIL_TAKEN */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    requestEmailVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: MAIL_NOT_CONFIGURED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, RECOVERY_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    impersonateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Impersonate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShortTokenReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signInByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginPasskey"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: INVALID_CREDENTIALS */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallengeReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Conflict: PASSKEYS_UNAVAILABLE */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    proveSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginSecondFactor"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Forbidden: SECOND_FACTOR_WRONG, ACCOUNT_SUSPENDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePasskey"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyAddedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, PASSKEY_INVALID, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: PASSKEY_EXISTS, PASSKEY_LIMIT, PASSKEYS_UNAVAILABLE */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proven"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG, SECOND_FACTOR_SETUP_REQUIRED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PASSKEY_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updatePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenamePasskey"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PASSKEY_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    beginPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proven"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: PASSKEYS_UNAVAILABLE */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createRealmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RealmSession"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShortTokenReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    recoverAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recover"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, RECOVERY_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    requestRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestRecovery"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Conflict: MAIL_NOT_CONFIGURED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshToken"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getSecondFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactorReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createConfirmationChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallengeReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: PASSKEYS_UNAVAILABLE */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    replaceRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proven"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: SECOND_FACTOR_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    enableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTotp"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorAddedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, SECOND_FACTOR_WRONG, WRONG_PASSWORD */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    beginTotpSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proven"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSetupReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: SECRETS_NOT_CONFIGURED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    disableTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proven"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, CHALLENGE_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, WRONG_PASSWORD, SECOND_FACTOR_WRONG, SECOND_FACTOR_SETUP_REQUIRED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: SECOND_FACTOR_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                page?: string;
                sort?: "last_used_at" | "-last_used_at" | "created_at" | "-created_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteSessions: {
        parameters: {
            query?: {
                keep_current?: components["schemas"]["QueryFlag"];
            };
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEndedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, SESSION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Signup"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Conflict: USERNAME_TAKEN, EMAIL_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokensReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreatedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, TOKEN_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    receiveCardpayCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_SIGNATURE */
            400: components["responses"]["BadRequestError"];
            /** @description Not Found: PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: PAYMENT_PROVIDER_DISABLED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, PAYMENT_PROVIDER_UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    receiveCryptopayCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_SIGNATURE */
            400: components["responses"]["BadRequestError"];
            /** @description Not Found: PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: PAYMENT_PROVIDER_DISABLED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, PAYMENT_PROVIDER_UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCertificateAuthority: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description certificates in PEM */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Not Found: CERTIFICATE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listContainers: {
        parameters: {
            query?: {
                cursor?: string;
                label?: string | string[];
                limit?: string;
                project_id?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContainer"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: PROJECT_NOT_FOUND, SERVER_NOT_FOUND, IMAGE_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: HOST_NOT_JOINED, SECRETS_NOT_CONFIGURED, HOST_DRAINING, NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getContainer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateContainer: {
        parameters: {
            query?: never;
            header: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
                /** @description the `ETag` of the version that was read, or `*` for any: 428 without it, 412 when there is another version */
                "If-Match": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateContainer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: NAME_TAKEN, SECRETS_NOT_CONFIGURED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Precondition Failed: PRECONDITION_FAILED */
            412: components["responses"]["PreconditionFailedError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Precondition Required: PRECONDITION_REQUIRED */
            428: components["responses"]["PreconditionRequiredError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createContainerAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerAccessReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    runCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCommand"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandResultReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED, COMMAND_RESULT_GONE */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Bad Gateway: COMMAND_FAILED */
            502: components["responses"]["BadGatewayError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createEgressRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddEgressRule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallAddReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_BYTE_LIMIT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteEgressRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemoveEgressRules"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallRemoveReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateEgressRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToggleEgressRule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallToggleReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, FIREWALL_RULE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_RULE_EXISTS, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createIngressRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddIngressRule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallAddReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_BYTE_LIMIT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteIngressRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemoveIngressRules"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallRemoveReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateIngressRules: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToggleIngressRule"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallToggleReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, FIREWALL_RULE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_RULE_EXISTS, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    resetFirewall: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallResetReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listFirewallRules: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: "position" | "-position";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallListingReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    replaceFirewallRules: {
        parameters: {
            query?: never;
            header: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
                /** @description the `ETag` of the version that was read, or `*` for any: 428 without it, 412 when there is another version */
                "If-Match": string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceRules"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallReplaceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_BYTE_LIMIT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Precondition Failed: PRECONDITION_FAILED */
            412: components["responses"]["PreconditionFailedError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Precondition Required: PRECONDITION_REQUIRED */
            428: components["responses"]["PreconditionRequiredError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteFirewallRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallRemoveReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, FIREWALL_RULE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateFirewallRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRuleState"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirewallToggleReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, FIREWALL_RULE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: FIREWALL_RULE_EXISTS, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getContainerLog: {
        parameters: {
            query?: {
                cursor?: string;
                follow?: components["schemas"]["QueryFlag"];
                limit?: string;
                since?: string;
                stream?: components["schemas"]["LogStreamName"];
                tail?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerLogReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getContainerMetrics: {
        parameters: {
            query?: {
                from?: string;
                step?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerMetricsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listContainerPermissions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: "created_at" | "-created_at" | "username" | "-username";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerPermissionsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createContainerPermission: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantPermission"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerPermissionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_ROLE_EXISTS, CONTAINER_PERMISSION_LIMIT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteContainerPermission: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, CONTAINER_PERMISSION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    pullContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_STATE_CONFLICT, RENTAL_ENDED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    restartContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_STATE_CONFLICT, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    startContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_STATE_CONFLICT, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    stopContainer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CONTAINER_STATE_CONFLICT, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateContainerVolumes: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVolumes"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContainerReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, CONTAINER_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                container_id?: string;
                cursor?: string;
                end_date?: string;
                event_type?: components["schemas"]["EventType"];
                limit?: string;
                offset?: string;
                project_id?: string;
                realm_id?: string;
                resource_id?: string;
                resource_type?: components["schemas"]["ResourceType"];
                sort?: "created_at" | "-created_at" | "event_type" | "-event_type";
                sort_by?: "created_at" | "event_type";
                sort_order?: components["schemas"]["SortOrder"];
                start_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteEvents"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsDeletedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, EVENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, EVENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cleanUpEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CleanupEvents"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsCleanedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getEventStats: {
        parameters: {
            query?: {
                end_date?: string;
                realm_id?: string;
                start_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventStatsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description server-sent events: `id` is the event's id, `event` its type, `data` the event as JSON. An event `gap` says that some were missed and are to be read from the list. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    enrolHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolHost"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostCredentialReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, ENROLMENT_INVALID */
            400: components["responses"]["BadRequestError"];
            /** @description Conflict: ENROLMENT_UNAVAILABLE */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getImageIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a PNG: the image's icon, or a placeholder */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_ICON_FORMAT */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Unprocessable Entity: INVALID_IMAGE_ID */
            422: components["responses"]["UnprocessableEntityError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    importImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, IMAGE_NOT_FREE, IMAGE_ALREADY_OWNED */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPublicImages: {
        parameters: {
            query?: {
                architecture?: string;
                cursor?: string;
                limit?: string;
                max_price?: string;
                max_rating?: string;
                min_price?: string;
                min_rating?: string;
                os?: string;
                page?: string;
                search?: string;
                sort?: "alias" | "-alias" | "added_date" | "-added_date" | "price" | "-price" | "rating" | "-rating";
                sort_by?: "alias" | "added_date" | "price" | "rating";
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicImagesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPublicImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicImageReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    purchaseImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE, IMAGE_ALREADY_OWNED */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CHARGE_EXCEEDS_MAX, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    rateImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, IMAGE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listUserImages: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                page?: string;
                search?: string;
                sort?: components["schemas"]["AliasSort"];
                sort_by?: "created_at";
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserImagesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                before?: string;
                cursor?: string;
                limit?: string;
                page?: string;
                read_only?: components["schemas"]["QueryFlag"];
                sort?: components["schemas"]["TimeSort"];
                unread_only?: components["schemas"]["QueryFlag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteNotification: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, NOTIFICATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    markNotificationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, NOTIFICATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: INBOX_LIMIT */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getNotificationMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettingsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateNotificationMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMailSettings"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettingsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPublicNotifications: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["TimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicNotificationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    markAllNotificationsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadAllReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getNotificationSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationSummaryReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listOffers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["OfferSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OffersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    reserveOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reserve"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, OFFER_NOT_FOUND, POOL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CHARGE_CONFIRMATION_REQUIRED, CHARGE_MISMATCH, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPools: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: "default_first" | "-default_first" | "name" | "-name" | "created_at" | "-created_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createPool: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePool"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updatePool: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePool"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deletePool: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: DEFAULT_POOL, POOL_NOT_EMPTY */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, INVITATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    invitePoolMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMember"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ALREADY_MEMBER, ALREADY_INVITED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updatePoolMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMember"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND, MEMBER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: POOL_OWNER */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deletePoolMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, POOL_NOT_FOUND, MEMBER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: POOL_OWNER */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    rejectInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, INVITATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPendingInvitations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                sort?: components["schemas"]["TimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProject"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: PROJECT_NOT_EMPTY */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProject"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: NAME_TAKEN, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listProjectRegistryCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryCredentialsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateProjectRegistryCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                registry: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutRegistryCredential"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistryCredentialReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: SECRETS_NOT_CONFIGURED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteProjectRegistryCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                registry: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PROJECT_NOT_FOUND, REGISTRY_CREDENTIAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    readComposeFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadComposeFile"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WantedProjectReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAliases: {
        parameters: {
            query?: {
                container_id?: string;
                cursor?: string;
                enabled?: components["schemas"]["QueryFlag"];
                expired?: components["schemas"]["QueryFlag"];
                limit?: string;
                project_id?: string;
                realm_id?: string;
                search?: string;
                sort?: components["schemas"]["AliasSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliasesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createAlias: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAlias"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliasReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_ALIAS_FORMAT */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ALIAS_IN_USE, ALIAS_RESERVED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAlias: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OneAliasReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteAlias: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateAlias: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchAlias"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliasReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INVALID_ALIAS_FORMAT */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ALIAS_IN_USE, ALIAS_RESERVED, ALIAS_EXPIRED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAliasDomains: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    addAliasDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDomain"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: DOMAIN_IN_USE, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    removeAliasDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                domain: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND, DOMAIN_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    checkAliasDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                domain: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND, DOMAIN_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    setAliasState: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AliasState"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AliasReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, ALIAS_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: ALIAS_RESERVED, ALIAS_EXPIRED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                alias_id?: string;
                container_id?: string;
                cursor?: string;
                limit?: string;
                project_id?: string;
                search?: string;
                sort?: components["schemas"]["DomainSort"];
                state?: components["schemas"]["DomainState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DomainsPageReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listQuotas: {
        parameters: {
            query?: {
                container_id?: string;
                pool_id?: string;
                project_id?: string;
                server_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotasReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: PROJECT_NOT_FOUND, POOL_NOT_FOUND, SERVER_NOT_FOUND, CONTAINER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listRentals: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["RentalSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getRental: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateRentalAutoExtension: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutoExtend"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CHARGE_EXCEEDS_MAX, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteRentalAutoExtension: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    endRental: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndRental"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: EXTENSION_ALREADY_APPLIED, RENTAL_ENDED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    extendRental: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Extend"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargedRentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: EXTENSION_ALREADY_APPLIED, CHARGE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getRentalMetrics: {
        parameters: {
            query?: {
                from?: string;
                step?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalMetricsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RENTAL_ENDED, SHARED_HOST */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getRentalUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RENTAL_ENDED, SHARED_HOST */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listReservations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                sort?: components["schemas"]["TimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RESERVATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cancelReservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReservationReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RESERVATION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RESERVATION_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listRentedServers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["RentalSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getRentedServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateServerAutoExtension: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutoExtend"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: CHARGE_EXCEEDS_MAX, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteServerAutoExtension: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    endServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndRental"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: EXTENSION_ALREADY_APPLIED, RENTAL_ENDED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    extendServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Extend"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargedRentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: EXTENSION_ALREADY_APPLIED, CHARGE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX, RENTAL_ENDED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getServerMetrics: {
        parameters: {
            query?: {
                from?: string;
                step?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RentalMetricsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RENTAL_ENDED, SHARED_HOST */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    rentServer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rent"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargedRentalReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, SERVER_NOT_FOUND, POOL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: SERVER_NOT_AVAILABLE, HOST_NOT_JOINED, HOST_DRAINING, CHARGE_CONFIRMATION_REQUIRED, SETUP_FEE_CONFIRMATION_REQUIRED, CHARGE_EXCEEDS_MAX, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getServerUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, RENTAL_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: RENTAL_ENDED, SHARED_HOST */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, HOST_SILENT */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAvailableServers: {
        parameters: {
            query?: {
                available_durations?: string | string[];
                category?: string;
                country?: string;
                cpu_score_type?: string;
                cursor?: string;
                disk_types?: string | string[];
                featured_only?: components["schemas"]["QueryFlag"];
                limit?: string;
                max_price_per_day?: string;
                min_bandwidth_mbps?: string;
                min_cpu_cores?: string;
                min_cpu_score?: string;
                min_ram_gb?: string;
                min_total_storage_gb?: string;
                min_traffic_tb?: string;
                ram_types?: string | string[];
                region?: string;
                sort?: "price_per_day" | "-price_per_day" | "name" | "-name" | "created_at" | "-created_at";
                unlimited_traffic_only?: components["schemas"]["QueryFlag"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AvailableServersReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listStorageShares: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                project_id?: string;
                search?: string;
                server_id?: string;
                sort?: "created_at" | "-created_at" | "name" | "-name" | "size_bytes" | "-size_bytes";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageSharesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createStorageShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStorageShare"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageShareReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: PROJECT_NOT_FOUND, SERVER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: HOST_NOT_JOINED, HOST_DRAINING, NAME_TAKEN, SERVER_STORAGE_EXCEEDED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getStorageShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageShareReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteStorageShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: STORAGE_SHARE_IN_USE, STORAGE_SHARE_MOUNTED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateStorageShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchStorageShare"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageShareReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: NAME_TAKEN, SERVER_STORAGE_EXCEEDED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listStorageShareSnapshots: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: components["schemas"]["NamedTimeSort"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageSnapshotsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createStorageShareSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSnapshot"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageSnapshotReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: STORAGE_SNAPSHOT_LIMIT, STORAGE_SHARE_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteStorageShareSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND, STORAGE_SNAPSHOT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: STORAGE_SHARE_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    restoreStorageShareSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageShareReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, STORAGE_SHARE_NOT_FOUND, STORAGE_SNAPSHOT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: STORAGE_SHARE_MOUNTED, STORAGE_SHARE_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAiFees: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                page?: string;
                sort?: "created_at" | "-created_at" | "amount" | "-amount" | "transaction_id" | "-transaction_id";
                sort_by?: "created_at" | "amount" | "transaction_id";
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiFeesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalancesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAiBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AiBalanceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getGeneralBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeneralBalanceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetailsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBillingDetails"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetailsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteBillingDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingDetailsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCodehostBonus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BonusStatusReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    claimCodehostBonus: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                cursor?: string;
                filter?: string;
                limit?: string;
                page?: string;
                sort?: "id" | "-id" | "invoice_number" | "-invoice_number" | "status" | "-status" | "amount" | "-amount" | "currency" | "-currency" | "issue_date" | "-issue_date" | "due_date" | "-due_date" | "paid_date" | "-paid_date" | "created_at" | "-created_at" | "updated_at" | "-updated_at" | "user_id" | "-user_id" | "transaction_id" | "-transaction_id";
                sort_by?: string;
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, INVOICE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    downloadInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the invoice */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, INVOICE_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    generateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedInvoiceReply"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedInvoiceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, TRANSACTION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPaymentAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentAvailabilityReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentMethod"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPaymentMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_METHOD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updatePaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePaymentMethod"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_METHOD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deletePaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_METHOD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    setDefaultPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_METHOD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createCardpayCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUp"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: PAYMENT_PROVIDER_DISABLED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, PAYMENT_PROVIDER_UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listCardpayIntents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                sort?: components["schemas"]["AmountTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCardpayIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cancelCardpayIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: PAYMENT_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listCryptopayIntents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                offset?: string;
                sort?: components["schemas"]["AmountTimeSort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCryptopayIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cancelCryptopayIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntentReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, PAYMENT_INTENT_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: PAYMENT_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createCryptopayInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TopUp"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CryptoInvoiceReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: PAYMENT_PROVIDER_DISABLED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE, PAYMENT_PROVIDER_UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getStatementCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the statement */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getStatementPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the statement */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, USER_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                page?: string;
                sort?: "id" | "-id" | "transaction_type" | "-transaction_type" | "status" | "-status" | "amount" | "-amount" | "created_at" | "-created_at" | "updated_at" | "-updated_at";
                sort_by?: "id" | "transaction_type" | "status" | "amount" | "created_at" | "updated_at";
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionsReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, TRANSACTION_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Transfer"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransferReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR, INSUFFICIENT_BALANCE */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: TRANSFER_FEE_CHANGED, TRANSFER_IDEMPOTENCY_KEY_REUSED, BALANCE_LIMIT */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: string;
                search?: string;
                sort?: "created_at" | "-created_at" | "updated_at" | "-updated_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS, QUOTA_EXCEEDED */
            403: components["responses"]["ForbiddenError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchWebhook"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                event_type?: components["schemas"]["EventType"];
                limit?: string;
                sort?: components["schemas"]["TimeSort"];
                status?: components["schemas"]["DeliveryStatus"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    redeliverWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                delivery_id: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryQueuedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: WEBHOOK_DISABLED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSecret"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Payload Too Large: PAYLOAD_TOO_LARGE */
            413: components["responses"]["PayloadTooLargeError"];
            /** @description Unsupported Media Type: UNSUPPORTED_MEDIA_TYPE */
            415: components["responses"]["UnsupportedMediaTypeError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeated request with the same key acts once; an `idempotency_key` in the body takes precedence */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryQueuedReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Unauthorized: MISSING_TOKEN, INVALID_TOKEN */
            401: components["responses"]["UnauthorizedError"];
            /** @description Forbidden: INSUFFICIENT_PERMISSIONS */
            403: components["responses"]["ForbiddenError"];
            /** @description Not Found: RECORD_NOT_FOUND, WEBHOOK_NOT_FOUND */
            404: components["responses"]["NotFoundError"];
            /** @description Conflict: WEBHOOK_DISABLED, IDEMPOTENCY_KEY_REUSED */
            409: components["responses"]["ConflictError"];
            /** @description Too Many Requests: RATE_LIMITED */
            429: components["responses"]["TooManyRequestsError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyReply"];
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            [key: string]: "up" | "down";
                        };
                        message: string;
                        statusCode: number;
                    };
                };
            };
            /** @description Bad Request: VALIDATION_ERROR */
            400: components["responses"]["BadRequestError"];
            /** @description Internal Server Error: INTERNAL_ERROR */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable: OVERLOADED, UNAVAILABLE */
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
}
