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
         * @description Answers the OpenAPI document of the operator surface, with this service's address in it.
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
         * @description Lists production's OAuth clients in the order of their ids. No secret is among it.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Issue a client
         * @description Makes an OAuth client of production. Its secret is in this answer and nowhere else.
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
         * @description The secret before stays valid for the overlap, and one that an earlier rotation has left, until its own end;
         *     with an overlap of 0 all of them end at once. A client can have 5 valid secrets; one more is a 409
         *     `conflict`. The new secret works at once in the process that answers, and within a second in every other.
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
         * @description It gets no new token: at once in the process that answers, within a second in every other. Tokens that it has
         *     live out their 900 seconds.
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
         * @description It gets tokens again: at once in the process that answers, within a second in every other.
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
         * @description Makes a new root key, which begins to sign 60 seconds later, when every process knows it; no token is refused
         *     on the way. While a new key waits to sign, this answers that one.
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
         * @description Streams the sign-ups in the order of their addresses. The first line says when the export began, the last one
         *     that it is whole. After a cut, ask again with `after`, the address of the last whole record that has arrived,
         *     and `startedAt`, as the first line of the first part gave it.
         *
         *     A person who is erased while the list streams may be in it already; the last line says how many were. A record
         *     that cannot be read is named on a line of its own, and the list goes on.
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
         * @description For a person's access request. Answers 404 where nothing is kept of the address.
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
         * @description For a person's erasure request. The record goes, the statistics are without it from the same moment on, and
         *     a keyed hash of the address stays as a mark, so that no import or restore brings the address back. A fresh
         *     sign-up by the person clears the mark. Erasing twice does no harm.
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
         * @description Takes sign-ups from elsewhere, one `ImportLine` a line of at most 64 KB, as many lines as there are. Each
         *     merges as a sign-up does: an answer that it gives replaces, one that it leaves out stays; the earliest
         *     `createdAt` and the latest `consentedAt` are kept. A line that cannot be taken is refused, with its number
         *     and a reason, and the next one is looked at. Sending lines again changes nothing.
         *
         *     Lines are stored as they arrive: a request that is cut has stored a part of them, and is to be sent again.
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
         * Hold the counters against a recount
         * @description Recounts all records and holds the statistics' counters against them. It is exact unless a known record
         *     changed before the recount came to it; then the differences are held against the records that changed.
         *     Records that cannot be read are named, and count as none.
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
         * @description Recounts all records and corrects the counters by the differences, if the recount is exact; otherwise it
         *     recounts again, five times at the most. A sign-up that arrives meanwhile is counted as always.
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
         * @description Streams all that a new store needs: sign-ups, the counters that they add up to, clients with the digests of
         *     their secrets, and the marks of erased addresses. Signing keys and limits are not in it. Records that cannot
         *     be read are named. The last line has a checksum of all lines before it.
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
         * @description Only a store without sign-ups and clients takes a backup. Its lines are sent with `restoreLines`, as often as
         *     it takes; from the first one that is stored, the store belongs to the backup of this checksum, until that is
         *     finished.
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
         * @description Stores lines of the backup. Erasure key and marks come before sign-ups, so that erased addresses are passed
         *     over, unless their owner has consented again since. Sending lines again changes nothing.
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
         * @description Recounts all records and, where the counters agree with them, releases the store from the backup. Asking
         *     again, as when the last line was lost, recounts once more; it is refused only while another backup is restored.
         */
        post: operations["finishRestore"];
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
        /** @description What a new client is to be. */
        RequestedClient: {
            /** @description What the operator calls it; not only spaces. */
            name: string;
            /** @description What its tokens may do. A client without scopes gets tokens that may do nothing. */
            scopes: "waitlist:stats:read"[];
        };
        IssuedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /**
             * Format: password
             * @description The OAuth client_secret, which is shown this once.
             */
            client_secret: string;
            /** @description What the operator calls it; not only spaces. */
            name: string;
            /** @description What its tokens may do. A client without scopes gets tokens that may do nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
        };
        ListedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /** @description What the operator calls it; not only spaces. */
            name: string;
            /** @description What its tokens may do. A client without scopes gets tokens that may do nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
            /** @description A disabled client gets no token. */
            disabled: boolean;
            /** @description Its valid secrets, the current one first. */
            secrets: {
                /**
                 * Format: date-time
                 * @description When a rotation's overlap ends it; `null` for the current one, which has no end.
                 */
                expiresAt: string | null;
            }[];
            /**
             * Format: date
             * @description The UTC day on which it last got a token; absent if it never has.
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
             * @description The OAuth client_secret, which is shown this once.
             */
            client_secret: string;
            /**
             * Format: date-time
             * @description When the secret before ends; absent where it has ended.
             */
            oldSecretUntil?: string;
        };
        KeyRotation: {
            /**
             * @description Whether this call has made the key, or an earlier one whose key waits to sign.
             * @enum {string}
             */
            outcome: "begun" | "under_way";
            /** @description The id of the new root key. */
            keyId: string;
            /**
             * Format: date-time
             * @description When it begins to sign.
             */
            signsFrom: string;
        };
        Address: {
            /**
             * Format: email
             * @description The e-mail address; its case does not matter.
             */
            email: string;
        };
        /** @description A sign-up as it is kept. Members that are not listed here, such as those of a newer program, come out too. */
        Signup: {
            /**
             * Format: email
             * @description The e-mail address; its case does not matter.
             */
            email: string;
            /**
             * Format: date-time
             * @description The first sign-up, which the statistics count by.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description The latest consent.
             */
            consentedAt: string;
            /**
             * Format: date-time
             * @description The latest change.
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
            /** @description Only sign-ups first made at this moment or later, a UTC date such as `2026-05-01` or a date-time. */
            since?: string;
            /** @description Only sign-ups whose address comes after this one, in the order of the stream. */
            after?: string;
            /**
             * Format: date-time
             * @description When the export began whose cut this one mends.
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
        /** @description Stands in the place of a record that cannot be read. */
        ExportUnreadable: {
            unreadable: components["schemas"]["UnreadableRecord"];
        };
        /** @description A record that KV cannot read, as after a fault of the disk, or that does not have the form of one. */
        UnreadableRecord: {
            /** @description Its key in KV, such as `["sign_up", "ada@example.com"]`. */
            key: string[];
            /** @description What is wrong with it. */
            reason: string;
        };
        ExportProgress: {
            /** @description How many records have been looked at. */
            scanned: number;
        };
        ExportEnd: {
            complete: boolean;
            /** @description How many sign-ups this stream has had. */
            count: number;
            /** @description How many people were erased since the export began. */
            erasedMeanwhile: number;
        };
        Erasure: {
            /**
             * @description Whether this call has erased the address, or an earlier one.
             * @enum {string}
             */
            outcome: "erased" | "erased_before";
            /**
             * Format: date-time
             * @description When it was erased.
             */
            erasedAt: string;
        };
        /** @description An empty object. */
        Nothing: Record<string, never>;
        /** @description How far the work has come. */
        Progress: {
            /** @description Records so far. */
            progress: number;
        };
        /** @description A sign-up from elsewhere. An optional field that is `null` or an empty text counts as absent. */
        ImportLine: {
            /**
             * Format: email
             * @description The e-mail address; its case does not matter.
             */
            email: string;
            /**
             * Format: date-time
             * @description When consent was given; not in the future.
             */
            consentedAt: string;
            /** @description When the address signed up first, a date-time; `consentedAt` if absent. */
            createdAt?: string | null;
            /** @description When it changed last, a date-time, as an export has it. */
            updatedAt?: string | null;
            /** @enum {string|null} */
            source?: "hero" | "cta" | "" | null;
            /**
             * @description The language of the notification; `en` for a new address without one.
             * @enum {string|null}
             */
            lang?: "en" | "de" | "" | null;
            /** @description A slug; at most 64 different ones. */
            role?: string | null;
            /** @description A slug; at most 64 different ones. */
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
        /** @description A counter that is not what the records add up to. */
        Difference: {
            /** @description Its name, such as `total`, `added/2026-11-21` or `byLang/de`. */
            counter: string;
            /** @description What is kept; after a fault it may be below zero. */
            kept: number;
            recounted: number;
        };
        RecountReport: {
            complete: boolean;
            /** @description Records at the beginning of the recount. */
            records: number;
            /** @description Records that were added, changed or erased before the recount came to them. */
            changed: number;
            /** @description Whether the differences are exact to the last record. */
            exact: boolean;
            /** @description Whether there is no difference that the changed records cannot account for. */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description Records that cannot be read, which are not among the counted ones. */
            unreadable: components["schemas"]["UnreadableRecord"][];
        };
        RepairReport: {
            complete: boolean;
            /** @description Records at the beginning of the recount. */
            records: number;
            /** @description Records that were added, changed or erased before the recount came to them. */
            changed: number;
            /** @description Whether the differences are exact to the last record. */
            exact: boolean;
            /** @description Whether there is no difference that the changed records cannot account for. */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description Records that cannot be read, which are not among the counted ones. */
            unreadable: components["schemas"]["UnreadableRecord"][];
            /** @description Whether the differences were corrected, if there were any. */
            repaired: boolean;
            /** @description Recounts that it took. */
            recounts: number;
        };
        /** @description A line of a backup; they come in this order, the first and the last one once. */
        BackupLine: components["schemas"]["BackupHeader"] | components["schemas"]["BackupSignUp"] | components["schemas"]["BackupClient"] | components["schemas"]["BackupErasureKey"] | components["schemas"]["BackupErasure"] | components["schemas"]["BackupUnreadable"] | components["schemas"]["BackupCounter"] | components["schemas"]["BackupEnd"];
        BackupHeader: {
            /** @constant */
            kind: "header";
            /** @constant */
            format: "waitlist-backup";
            /** @constant */
            version: 1;
            /** Format: date-time */
            createdAt: string;
        };
        BackupSignUp: {
            /** @constant */
            kind: "sign_up";
            signUp: components["schemas"]["Signup"];
        };
        BackupClient: {
            /** @constant */
            kind: "client";
            /** @description As it is kept; members that are not listed here come out too. */
            client: {
                /** @description The OAuth client_id. */
                clientId: string;
                /** @description What the operator calls it; not only spaces. */
                name: string;
                scopes: string[];
                secrets: {
                    /** @description SHA-256 of the secret, base64url. */
                    digest: string;
                    /** @description In milliseconds since 1970. */
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
        /** @description Names a record that is not in the backup, as it could not be read. */
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
        };
        NewRestore: {
            /** @description SHA-256 of all bytes before this line, hexadecimal. */
            checksum: string;
            counts: components["schemas"]["BackupCounts"];
            /**
             * @description Goes on with a restore of this very backup that was begun.
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
            /** @description Lines that have been stored. */
            restored: number;
            /** @description Lines that were stored already. */
            unchanged: number;
            /** @description Sign-ups passed over as their address was erased. */
            erased: number;
        };
        /** @description What went wrong, as a stable code for programs and a sentence for people. */
        Error: {
            /**
             * @description The machine code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_json" | "unauthorized" | "not_found" | "method_not_allowed" | "body_cut" | "conflict" | "store_not_empty" | "restore_begun" | "other_restore" | "no_restore" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error";
            /** @description What happened and what helps. The wording may change; rely on `error`. */
            message: string;
        };
    };
    responses: {
        /**
         * @description The body cannot be read (`invalid_json`) or says something that it cannot (`invalid_request`); the message
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
        /** @description The state of things does not allow it (`conflict`); the message says what to do. */
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
         * @description The store is in another state than it takes. `store_not_empty`: it has sign-ups or clients. `restore_begun`:
         *     it holds a part of this very backup; go on with it by `resume`. `other_restore`: it holds a part of another
         *     backup. `no_restore`: no restore of this backup is under way.
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
         * @description The body did not arrive whole (`body_cut`), such as when the service stops: send the request again. What an
         *     import or a restore has stored of it by then stays stored.
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
        /** @description The limit of this window is used up (`rate_limited`). */
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
        /** @description Something unexpected went wrong in the service (`internal_error`). */
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
        /** @description The content type is to be taken as sent. */
        ContentTypeOptions: "nosniff";
        /**
         * @description What the service's log calls this request.
         * @example k7Qx2B
         */
        RequestId: string;
        /** @description How many sign-ups there are by the statistics' counter, before the work begins; absent where that is damaged. */
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
            /** @description The sign-ups, one a line. */
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
                /** @description Says what would happen and writes nothing. An address that comes twice then counts twice as new. */
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
            /** @description What became of the lines. */
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
            /** @description Progress, and the findings as the last line. */
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
            /** @description Progress, and what was corrected as the last line. */
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
            /** @description The store takes the backup's lines. */
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
            /** @description What became of the lines. */
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
            /** @description Progress, and the findings as the last line. */
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
}
