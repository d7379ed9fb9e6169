// Generated from openapi/operator.yaml by `deno task generate`; do not edit.

export interface paths {
    "/operator/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Returns the OpenAPI document of the operator surface, with the address of this service.
         */
        get: operations["getOperatorDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients
         * @description Lists the OAuth clients of production in the order of their ids, without secrets.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Issue a client
         * @description Makes an OAuth client of production. Only this answer contains its secret.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/clients/{client_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The current secret stays valid for the overlap, and older secrets until their own expiry; with an
         *     overlap of 0 all of them expire at once. A client can have at most 5 valid secrets; one more is refused
         *     with 409 `conflict`. The new secret works at once in the process that answers, and within a second in
         *     every other process.
         */
        post: operations["rotateClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/clients/{client_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a client
         * @description The client gets no new token, at once in the process that answers and within a second in every other
         *     process. Its existing tokens stay valid until their 900 seconds have passed.
         */
        post: operations["disableClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/clients/{client_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a client again
         * @description The client gets tokens again, at once in the process that answers and within a second in every other
         *     process.
         */
        post: operations["enableClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the key that signs access tokens
         * @description Makes a new root key. It signs tokens from 60 seconds later on, when every process knows it, so that no
         *     valid token is refused. While a new key waits for this time, another call returns that key.
         */
        post: operations["rotateKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream the list
         * @description Streams the sign-ups in the order of their addresses. The first line says when the export began; the
         *     last line says that it is complete. If the answer breaks off, call the operation again with `after`, the
         *     address of the last complete record that arrived, and with the `startedAt` of the first answer's first
         *     line.
         *
         *     The export may contain people who are erased while it is running; the last line says how many were
         *     erased. A record that cannot be read is reported on a line of its own, and the export goes on.
         */
        post: operations["exportSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what is kept of an address
         * @description For a person's access request. Answers 404 if the address is not on the waitlist.
         */
        post: operations["showSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase an address
         * @description For a person's erasure request. Deletes the record and takes it out of the statistics at the same
         *     moment. A keyed hash of the address remains as a mark, so that no import or restore brings the address
         *     back. A new sign-up by the person removes the mark. To erase an address again changes nothing.
         */
        post: operations["eraseSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import sign-ups
         * @description Imports sign-ups from another system: one `ImportLine` on each line, of at most 64 KB. The number of
         *     lines has no limit. A line is merged with a known address like a sign-up: an answer that it gives
         *     replaces the earlier one, an answer that it leaves out stays. The earliest `createdAt` and the latest
         *     `consentedAt` are kept. A line that is not valid is refused, with its number and a reason, and the
         *     import goes on. To send lines again changes nothing.
         *
         *     Lines are stored as they arrive: a request that breaks off has stored some of them. Send it again.
         */
        post: operations["importSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/counters/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the counters with a recount
         * @description Recounts all records and compares the counters of the statistics with the result. The recount is exact
         *     unless an existing record was changed or erased before the recount reached it; then it says whether such
         *     records can explain the differences. Records that cannot be read are listed and not counted.
         */
        post: operations["verifyCounters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/counters/repair": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct the counters
         * @description Recounts all records and corrects the counters by the differences if the recount is exact; otherwise it
         *     recounts again, at most five times. A sign-up that arrives meanwhile is counted as usual.
         */
        post: operations["repairCounters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a backup
         * @description Streams everything that a new store needs: the sign-ups, their counters, the clients with the digests of
         *     their secrets, and the marks of erased addresses. It does not contain signing keys and limits. Records
         *     that cannot be read are listed. The last line has a checksum of all lines before it.
         */
        post: operations["backUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/restores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to restore a backup
         * @description Begins a restore, which needs a store without sign-ups and clients. The lines of the backup are then
         *     sent by one or more calls of `restoreLines`. From the first stored line until the restore is finished,
         *     the store accepts lines of the backup with this checksum only.
         */
        post: operations["beginRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/restores/{checksum}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore lines of a backup
         * @description Stores lines of the backup. The erasure key and the marks must come before the sign-ups, so that erased
         *     addresses are skipped, unless their owners have consented again since. To send lines again changes
         *     nothing.
         */
        post: operations["restoreLines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/restores/{checksum}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish restoring
         * @description Recounts all records. If the counters agree with them, the restore is finished. Another call, for
         *     example because the last line was lost, recounts again; it is refused only while another backup is being
         *     restored.
         */
        post: operations["finishRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Streams the entries of the audit log, the oldest first. There is an entry for each call that changed
         *     something, and for each export and backup; calls without a right key are counted in one entry a minute
         *     and process. Entries are kept for 400 days.
         *
         *     An import or a restore that takes several calls has an entry for each of them. An entry that cannot be
         *     read is reported on a line of its own.
         */
        get: operations["readAuditLog"];
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
        /** @description The properties of a new client. */
        RequestedClient: {
            /** @description The operator's name for the client; not only spaces. */
            name: string;
            /** @description The scopes of its tokens. A client without scopes gets tokens that allow nothing. */
            scopes: "waitlist:stats:read"[];
        };
        IssuedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /**
             * Format: password
             * @description The OAuth client_secret. It is shown only once.
             */
            client_secret: string;
            /** @description The operator's name for the client; not only spaces. */
            name: string;
            /** @description The scopes of its tokens. A client without scopes gets tokens that allow nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
        };
        ListedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /** @description The operator's name for the client; not only spaces. */
            name: string;
            /** @description The scopes of its tokens. A client without scopes gets tokens that allow nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
            /** @description A disabled client gets no token. */
            disabled: boolean;
            /** @description Its valid secrets, the current one first. */
            secrets: {
                /**
                 * Format: date-time
                 * @description When the secret expires after a rotation; `null` for the current secret, which does not expire.
                 */
                expiresAt: string | null;
            }[];
            /**
             * Format: date
             * @description The UTC day on which the client last got a token; absent if it never got one.
             */
            lastUsed?: string;
        };
        ClientList: {
            clients: components["schemas"]["ListedClient"][];
        };
        SecretRotation: {
            /** @description How long the old secret stays valid; at most 90 days. */
            overlapSeconds: number;
        };
        RotatedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /**
             * Format: password
             * @description The OAuth client_secret. It is shown only once.
             */
            client_secret: string;
            /**
             * Format: date-time
             * @description When the earlier secret expires; absent if it has expired.
             */
            oldSecretUntil?: string;
        };
        KeyRotation: {
            /**
             * @description `begun`: this call made the key. `under_way`: an earlier call made it, and it does not sign yet.
             * @enum {string}
             */
            outcome: "begun" | "under_way";
            /** @description The id of the new root key. */
            keyId: string;
            /**
             * Format: date-time
             * @description When the key begins to sign.
             */
            signsFrom: string;
        };
        Address: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
        };
        /**
         * @description A sign-up as it is stored. It may have members that are not listed here, such as those of a newer
         *     version.
         */
        Signup: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * Format: date-time
             * @description The time of the first sign-up, by which the statistics count.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The time of the latest consent.
             */
            consentedAt: string;
            /**
             * Format: date-time
             * @description The time of the latest change.
             */
            updatedAt: string;
            /**
             * @description The language of the notification.
             * @enum {string}
             */
            lang: "en" | "de";
            /**
             * @description The form that was used.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description The role, which only an import can set. */
            role?: string;
            /** @description The use case, which only an import can set. */
            building?: string;
        };
        ExportRequest: {
            /**
             * @description Only sign-ups of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only sign-ups that were first made at this time or later: a UTC date such as `2026-05-01`, or a
             *     date-time.
             */
            since?: string;
            /** @description Only sign-ups whose address follows this one in the order of the export. */
            after?: string;
            /**
             * Format: date-time
             * @description When the export began that this one continues.
             */
            startedAt?: string;
        };
        ExportStart: {
            /**
             * Format: date-time
             * @description When the export began.
             */
            startedAt: string;
        };
        /** @description A line for a record that cannot be read. */
        ExportUnreadable: {
            unreadable: components["schemas"]["UnreadableRecord"];
        };
        /** @description A record that KV cannot read, for example after a fault of the disk, or whose value is not valid. */
        UnreadableRecord: {
            /** @description The key of the record in KV, such as `["sign_up", "ada@example.com"]`. */
            key: string[];
            /** @description What is wrong with it. */
            reason: string;
        };
        ExportProgress: {
            /** @description The number of records that were read. */
            scanned: number;
        };
        ExportEnd: {
            complete: boolean;
            /** @description The number of sign-ups in this answer. */
            count: number;
            /** @description The number of people who were erased since the export began. */
            erasedMeanwhile: number;
        };
        Erasure: {
            /**
             * @description `erased`: this call erased the address. `erased_before`: an earlier call did.
             * @enum {string}
             */
            outcome: "erased" | "erased_before";
            /**
             * Format: date-time
             * @description When the address was erased.
             */
            erasedAt: string;
            /** @description Whether the statistics still count the record, as it could not be read; `repairCounters` corrects them. */
            countersLeft?: boolean;
        };
        /** @description An empty object. */
        Nothing: Record<string, never>;
        /** @description The progress of the work. */
        Progress: {
            /** @description The number of records so far. */
            progress: number;
        };
        /** @description A sign-up from another system. An optional field that is `null` or an empty text counts as absent. */
        ImportLine: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * Format: date-time
             * @description When the consent was given; not in the future.
             */
            consentedAt: string;
            /** @description When the address signed up first, a date-time; `consentedAt` if absent. */
            createdAt?: string | null;
            /** @description When the record changed last, a date-time, as in an export. */
            updatedAt?: string | null;
            /** @enum {string|null} */
            source?: "hero" | "cta" | "" | null;
            /**
             * @description The language of the notification; `en` for a new address without one.
             * @enum {string|null}
             */
            lang?: "en" | "de" | "" | null;
            /** @description A slug; the list has at most 64 different ones. */
            role?: string | null;
            /** @description A slug; the list has at most 64 different ones. */
            building?: string | null;
        };
        ImportReport: {
            new: number;
            /** @description Known addresses whose record changed. */
            merged: number;
            unchanged: number;
            refused: number;
            /** @description The refused lines, the first 10,000 of them. No reason holds an address. */
            refusals: components["schemas"]["Refusal"][];
        };
        Refusal: {
            /** @description The line's number in the request, from 1. */
            line: number;
            reason: string;
        };
        /** @description A counter that differs from the number of its records. */
        Difference: {
            /** @description Its name, such as `total`, `added/2026-11-21` or `byLang/de`. */
            counter: string;
            /** @description The stored value; after a fault it may be below zero. */
            kept: number;
            recounted: number;
        };
        RecountReport: {
            complete: boolean;
            /** @description The number of records at the beginning of the recount. */
            records: number;
            /** @description The number of records that were added, changed or erased before the recount reached them. */
            changed: number;
            /** @description Whether the recount is exact. */
            exact: boolean;
            /** @description Whether the changed records can explain all differences. If the recount is exact, there are none. */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description The records that cannot be read; they are not counted. */
            unreadable: components["schemas"]["UnreadableRecord"][];
        };
        RepairReport: {
            complete: boolean;
            /** @description The number of records at the beginning of the recount. */
            records: number;
            /** @description The number of records that were added, changed or erased before the recount reached them. */
            changed: number;
            /** @description Whether the recount is exact. */
            exact: boolean;
            /** @description Whether the changed records can explain all differences. If the recount is exact, there are none. */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description The records that cannot be read; they are not counted. */
            unreadable: components["schemas"]["UnreadableRecord"][];
            /** @description Whether the differences, if there were any, were corrected. */
            repaired: boolean;
            /** @description The number of recounts. */
            recounts: number;
        };
        /** @description A line of a backup. The lines are in this order, with one first line and one last line. */
        BackupLine: components["schemas"]["BackupHeader"] | components["schemas"]["BackupSignUp"] | components["schemas"]["BackupClient"] | components["schemas"]["BackupErasureKey"] | components["schemas"]["BackupErasure"] | components["schemas"]["BackupAuditEntry"] | components["schemas"]["BackupUnreadable"] | components["schemas"]["BackupCounter"] | components["schemas"]["BackupEnd"];
        BackupHeader: {
            /** @constant */
            kind: "header";
            /** @constant */
            format: "waitlist-backup";
            /**
             * @description Version 2 added the audit log.
             * @enum {integer}
             */
            version: 1 | 2;
            /** Format: date-time */
            createdAt: string;
        };
        BackupSignUp: {
            /** @constant */
            kind: "sign_up";
            /** @description The record as it is stored. It may have members that are not listed here. */
            signUp: {
                /** @description The random id of the record. Backups of earlier versions have none. */
                id?: string;
                /**
                 * Format: email
                 * @description The e-mail address. Upper and lower case are the same.
                 */
                email: string;
                /**
                 * Format: date-time
                 * @description The time of the first sign-up, by which the statistics count.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description The time of the latest consent.
                 */
                consentedAt: string;
                /**
                 * Format: date-time
                 * @description The time of the latest change.
                 */
                updatedAt: string;
                /**
                 * @description The language of the notification.
                 * @enum {string}
                 */
                lang: "en" | "de";
                /**
                 * @description The form that was used.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /** @description The role, which only an import can set. */
                role?: string;
                /** @description The use case, which only an import can set. */
                building?: string;
            };
        };
        BackupClient: {
            /** @constant */
            kind: "client";
            /** @description The client as it is stored. It may have members that are not listed here. */
            client: {
                /** @description The OAuth client_id. */
                clientId: string;
                /** @description The operator's name for the client; not only spaces. */
                name: string;
                scopes: string[];
                secrets: {
                    /** @description SHA-256 of the secret, base64url. */
                    digest: string;
                    /** @description The time of expiry in milliseconds since 1970. */
                    expiresAt?: number;
                }[];
                /** Format: date-time */
                createdAt: string;
                disabled?: boolean;
            };
        };
        BackupErasureKey: {
            /** @constant */
            kind: "erasure_key";
            /** @description What the marks are made with, base64url. */
            key: string;
        };
        BackupErasure: {
            /** @constant */
            kind: "erased";
            /** @description A keyed hash of the address, base64url. */
            mark: string;
            /** Format: date-time */
            erasedAt: string;
        };
        BackupAuditEntry: {
            /** @constant */
            kind: "audit";
            entry: components["schemas"]["AuditEntry"];
        };
        /** @description A record that could not be read and is not in the backup. */
        BackupUnreadable: {
            /** @constant */
            kind: "unreadable";
            unreadable: components["schemas"]["UnreadableRecord"];
        };
        BackupCounter: {
            /** @constant */
            kind: "counter";
            /** @description Its name, such as `total` or `byLang/de`. */
            counter: string;
            count: number;
        };
        BackupEnd: {
            /** @constant */
            kind: "end";
            counts: components["schemas"]["BackupCounts"];
            /** @description SHA-256 of all bytes before this line, hexadecimal. */
            sha256: string;
        };
        BackupCounts: {
            signUps: number;
            clients: number;
            erasures: number;
            /** @description Absent in a backup of version 1. */
            auditEntries?: number;
        };
        NewRestore: {
            /** @description SHA-256 of all bytes before this line, hexadecimal. */
            checksum: string;
            counts: components["schemas"]["BackupCounts"];
            /**
             * @description Continues a restore of this backup that was begun.
             * @default false
             */
            resume?: boolean;
        };
        Restore: {
            /** @description SHA-256 of all bytes before this line, hexadecimal. */
            checksum: string;
            counts: components["schemas"]["BackupCounts"];
            /** Format: date-time */
            startedAt: string;
        };
        RestoredLines: {
            /** @description The number of lines that this call stored. */
            restored: number;
            /** @description The number of lines that were stored before. */
            unchanged: number;
            /** @description The number of sign-ups that were skipped because their address was erased. */
            erased: number;
        };
        /** @description What an operator did. It may have members that are not listed here, such as those of a newer version. */
        AuditEntry: {
            /**
             * Format: date-time
             * @description When the call came; for `failedSignIn`, when the calls of the last minute were counted.
             */
            at: string;
            /** @description A random id, so that two entries of one moment differ. */
            id: string;
            /**
             * @description The `operationId` of the operation; `failedSignIn` for calls without a right key.
             * @example rotateClient
             */
            action: string;
            /** @description The name of the operator; absent for `failedSignIn`. */
            operator?: string;
            /** @description The `X-Request-Id` of the answer, which the log of the service has too. */
            requestId?: string;
            /** @description The client that was changed. */
            client_id?: string;
            /** @description The keyed hash of the address that was erased, base64url. */
            address?: string;
            /** @description Numbers and parameters of the call. None of them is personal data. */
            details?: {
                [key: string]: string | number | boolean;
            };
        };
        AuditEnd: {
            complete: boolean;
            /** @description The number of entries in this answer. */
            count: number;
        };
        /** @description An error, with a stable code for programs and a sentence for people. */
        Error: {
            /**
             * @description The machine code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_json" | "unauthorized" | "not_found" | "method_not_allowed" | "body_cut" | "conflict" | "store_not_empty" | "restore_begun" | "other_restore" | "no_restore" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error";
            /** @description What happened and what helps. The wording may change; programs should use `error`. */
            message: string;
        };
    };
    responses: {
        /**
         * @description The body is not valid JSON (`invalid_json`), or a field is not valid (`invalid_request`); the message
         *     names the field.
         */
        Invalid: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The operator key is missing or wrong (`unauthorized`). */
        Unauthorized: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["KeyChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no client with this id (`not_found`). */
        UnknownClient: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The present state does not allow the operation (`conflict`); the message says what to do. */
        Conflict: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The store is not in the state that the operation needs. `store_not_empty`: it has sign-ups or clients.
         *     `restore_begun`: it holds a part of this backup; continue with `resume`. `other_restore`: it holds a
         *     part of another backup. `no_restore`: no restore of this backup is running.
         */
        RestoreConflict: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The address is not on the waitlist (`not_found`); the message says so if it was erased. */
        UnknownAddress: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path takes other methods (`method_not_allowed`). */
        MethodNotAllowed: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The body did not arrive completely (`body_cut`), for example because the service stops: send the request
         *     again. The lines that an import or a restore has stored by then stay stored.
         */
        BodyCut: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KB, 65,536 bytes (`payload_too_large`). */
        PayloadTooLarge: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Content-Type` is not the one that the operation takes (`unsupported_media_type`). */
        UnsupportedMediaType: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The limit of this window is exceeded (`rate_limited`). */
        RateLimited: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An unexpected error in the service (`internal_error`). */
        InternalError: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The major version of the surface. */
        ApiVersion: "1";
        /** @description Requests allowed in the window. */
        RateLimitLimit: 30 | 600;
        /** @description Requests left in the window. */
        RateLimitRemaining: number;
        /** @description Seconds until the window resets. */
        RateLimitReset: number;
        /** @description The limit and its window in seconds. */
        RateLimitPolicy: "30;w=60" | "600;w=60";
        /** @description Answers are never cached. */
        CacheControl: "no-store";
        /** @description Tells clients to use the content type as it is sent. */
        ContentTypeOptions: "nosniff";
        /**
         * @description The id of this request in the log of the service.
         * @example k7Qx2B
         */
        RequestId: string;
        /**
         * @description The number of sign-ups before the work begins, by the counter of the statistics; absent if that counter
         *     is damaged.
         */
        TotalCount: number;
        /** @description The methods that the path takes. */
        Allow: "GET, HEAD" | "POST" | "GET, HEAD, POST";
        /** @description Seconds to wait. */
        RetryAfter: number;
        /** @description The challenge of RFC 6750. */
        KeyChallenge: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getOperatorDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestedClient"];
            };
        };
        responses: {
            /** @description The client, with its secret. */
            201: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedClient"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    rotateClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedClient"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UnknownClient"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    disableClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedClient"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UnknownClient"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    enableClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The client_id. */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedClient"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UnknownClient"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    rotateKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new key, without its secret. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRotation"];
                };
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    exportSignups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description The sign-ups, one on each line. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportStart"] | components["schemas"]["Signup"] | components["schemas"]["ExportUnreadable"] | components["schemas"]["ExportProgress"] | components["schemas"]["ExportEnd"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    showSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Address"];
            };
        };
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signup"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    eraseSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Address"];
            };
        };
        responses: {
            /** @description The address is erased. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    importSignups: {
        parameters: {
            query?: {
                /**
                 * @description Reports what the import would do, and stores nothing. An address that occurs twice then counts as
                 *     new twice.
                 */
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["ImportLine"];
            };
        };
        responses: {
            /** @description The result for the lines. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    verifyCounters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The progress, and the findings on the last line. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["RecountReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    repairCounters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The progress, and the corrections on the last line. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["RepairReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    backUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The backup. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["BackupLine"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    beginRestore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRestore"];
            };
        };
        responses: {
            /** @description The store accepts lines of the backup. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Restore"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["RestoreConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    restoreLines: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The backup's checksum. */
                checksum: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["BackupLine"];
            };
        };
        responses: {
            /** @description The result for the lines. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredLines"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["RestoreConflict"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    finishRestore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The backup's checksum. */
                checksum: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The progress, and the findings on the last line. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["RecountReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["RestoreConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    readAuditLog: {
        parameters: {
            query?: {
                /**
                 * @description Only entries of this time or later: a UTC date such as `2026-05-01`, or a date-time such as
                 *     `2026-05-01T09:30:00Z`.
                 */
                since?: string;
                /** @description Only entries of the operator with this name. */
                operator?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries, one on each line. */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["AuditEntry"] | components["schemas"]["ExportUnreadable"] | components["schemas"]["AuditEnd"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
}
