// Generated from openapi/public.yaml by `deno task generate`; do not edit.

export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the API offers
         * @description Gives the absolute URLs of the operations, the documents and the discovery metadata of this environment.
         *     Counts under the limit of 30 requests a minute in production.
         */
        get: operations["index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask for the headers of the index
         * @description Answers as the GET does, without a body.
         */
        head: operations["headIndex"];
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is up
         * @description A probe for monitors and integrators. It has a limit of its own, 120 requests a minute, which GET and
         *     HEAD share.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check that the service is up, by headers alone
         * @description Answers as the GET does, without a body.
         */
        head: operations["headStatus"];
        patch?: never;
        trace?: never;
    };
    "/api/v1/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange client credentials for an access token
         * @description The client credentials grant (RFC 6749 section 4.4). The client authenticates in one of two ways:
         *
         *     - HTTP Basic (`client_secret_basic`): id and secret, each form-encoded, in the `Authorization` header;
         *     - form body (`client_secret_post`): the fields `client_id` and `client_secret`.
         *
         *     Using both at once, or a `client_id` in the body that differs from the one in the header, is a 400
         *     `invalid_request`; so is a parameter given twice, another content type, or more than 100 parameters. A
         *     parameter with an empty value counts as absent; unknown parameters are ignored. `resource` (RFC 8707) is ignored too,
         *     and may be given several times. After the media type, the checks are: repeated parameters and double
         *     authentication, `grant_type`, client, `scope`.
         *
         *     The token is a JWT signed with HS256, valid for 900 seconds in the environment that issued it. There is
         *     no refresh token: ask for a new access token instead.
         */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waitlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the early-access waitlist
         * @description Stores the address with the time of its consent, and answers once that is done. The sandbox checks the
         *     request in the same way and stores nothing.
         *
         *     A known address may be submitted again, and the answer is the same. A field in the later request replaces
         *     the earlier value, and an absent field changes nothing.
         *
         *     A JSON body gets 200 with `{accepted: true}`. A form-encoded body gets 303 to a thanks page: `/de/danke/`
         *     for `lang=de`, otherwise `/thanks/`.
         *
         *     Checked in this order: `website` (the honeypot), then unknown fields and the optional fields (400), then
         *     `email` (422 `invalid_email`), then `consent` (422 `consent_required`).
         */
        post: operations["joinWaitlist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waitlist/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read aggregate waitlist statistics
         * @description Counts of sign-ups, without any personal data. Needs an access token of the same environment with the
         *     scope `waitlist:stats:read`. The sandbox returns one fixed example.
         */
        get: operations["getWaitlistStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Ask for the headers of the statistics
         * @description Answers as the GET does, access checks included, without a body.
         */
        head: operations["headWaitlistStats"];
        patch?: never;
        trace?: never;
    };
    "/api/waitlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the early-access waitlist by the unversioned path
         * @deprecated
         * @description The old address of `POST /api/v1/waitlist`. It behaves the same and keeps working; prefer the versioned
         *     path. Every answer also carries `Deprecation` (RFC 9745) and a `Link` to the successor.
         */
        post: operations["joinWaitlistLegacy"];
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
        /** @description A sign-up. Any field not listed here is rejected, not ignored. */
        WaitlistSignup: {
            /**
             * Format: email
             * @description The address to add: ASCII, with a dotted domain, at most 64 characters before the `@`, without spaces
             *     around it. It is stored in lower case.
             * @example ada@example.com
             */
            email: string;
            /** @description Must be true. The owner of the address has explicitly agreed to join. */
            consent: boolean;
            /**
             * @description The form that was used.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /**
             * @description The language of the e-mails to this person. An absent `lang` means `en` for a new address, and changes
             *     nothing for a known one.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description A honeypot: people never see this field, so leave it out or empty. A request that fills it in gets the
             *     same answer as a success; its other fields are not checked and nothing is stored.
             */
            website?: string;
        };
        /**
         * @description The same sign-up as an HTML form sends it. Every value is text; an empty `source`, `lang` or `website`
         *     counts as absent. A field given twice is rejected.
         */
        WaitlistSignupForm: {
            /**
             * Format: email
             * @description The address to add: ASCII, with a dotted domain, at most 64 characters before the `@`, without spaces
             *     around it. It is stored in lower case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description The owner of the address has explicitly agreed to join. A ticked checkbox sends `on`.
             * @enum {string}
             */
            consent: "true" | "on" | "1";
            /**
             * @description The form that was used.
             * @enum {string}
             */
            source?: "hero" | "cta" | "";
            /**
             * @description The language of the e-mails to this person and of the thanks page. An absent `lang` means `en` for a new
             *     address and for the page, and changes nothing for a known address.
             * @enum {string}
             */
            lang?: "en" | "de" | "";
            /**
             * @description A honeypot: people never see this field, so leave it out or empty. A request that fills it in gets the
             *     same answer as a success; its other fields are not checked and nothing is stored.
             */
            website?: string;
        };
        /** @description The sign-up was accepted. New and known addresses get the same answer. */
        Accepted: {
            /** @description Always true. */
            accepted: boolean;
        };
        Status: {
            /** @constant */
            status: "ok";
            /**
             * @description The fixed identifier of this service.
             * @example waitlist-web
             */
            service: string;
            /**
             * @description The major version of the API.
             * @constant
             */
            apiVersion: "1";
            /**
             * @description The environment that answered.
             * @enum {string}
             */
            environment: "production" | "sandbox";
            /**
             * Format: date-time
             * @description The time of the answer, in UTC.
             */
            time: string;
            /**
             * Format: uri
             * @description The developer page.
             */
            docs: string;
            /**
             * Format: uri
             * @description The OpenAPI document.
             */
            openapi: string;
        };
        /**
         * @description Counts of sign-ups. The maps leave out keys that count zero; a sign-up without an answer is in none of
         *     that map's buckets, so a map's sum can be below `total`. Days are UTC days of the first sign-up.
         */
        WaitlistStats: {
            /** @description All sign-ups. */
            total: number;
            /** @description Sign-ups of today and the six UTC days before it. */
            last7Days: number;
            /** @description Sign-ups of today and the 29 UTC days before it. */
            last30Days: number;
            /** @description Counts by language, `en` or `de`. */
            byLang: {
                [key: string]: number;
            };
            /** @description Counts by role. */
            byRole: {
                [key: string]: number;
            };
            /** @description Counts by use case. */
            byBuilding: {
                [key: string]: number;
            };
            /** @description Counts by form, `hero` or `cta`. */
            bySource: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When the counts were read, in UTC. Fixed in the sandbox.
             */
            generatedAt: string;
            /**
             * @description The environment that answered.
             * @enum {string}
             */
            environment: "production" | "sandbox";
        };
        /**
         * @description A client credentials request. `client_id` and `client_secret` are for clients that do not authenticate by
         *     HTTP Basic. Unknown parameters are ignored; one with an empty value counts as absent.
         */
        TokenRequest: {
            /** @constant */
            grant_type: "client_credentials";
            /** @description The client's id. With HTTP Basic, leave it out or repeat the same id. */
            client_id?: string;
            /**
             * Format: password
             * @description The client's secret. Leave it out with HTTP Basic.
             */
            client_secret?: string;
            /**
             * @description The scopes asked for, with one space between two; `waitlist:stats:read` is the only one. Left out, all
             *     scopes of the client are granted.
             * @example waitlist:stats:read
             */
            scope?: string;
        };
        TokenResponse: {
            /** @description The access token, a JWT signed with HS256. Treat it as opaque. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * @description The lifetime of the token in seconds.
             * @constant
             */
            expires_in: 900;
            /** @description The scopes granted, separated by spaces. Absent for a client that has none. */
            scope?: string;
        };
        /** @description An error, with a stable code for programs and a sentence for people. */
        Error: {
            /**
             * @description The machine code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_json" | "unauthorized" | "invalid_token" | "insufficient_scope" | "not_found" | "method_not_allowed" | "payload_too_large" | "unsupported_media_type" | "invalid_email" | "consent_required" | "rate_limited" | "internal_error";
            /** @description What happened and what helps. The wording may change; programs should use `error`. */
            message: string;
        };
        /** @description An error of the token endpoint (RFC 6749 section 5.2). */
        OAuthError: {
            /**
             * @description The OAuth error code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
            /**
             * @description What happened and what helps, in the characters that RFC 6749 allows. The wording may change; rely on
             *     `error`.
             */
            error_description: string;
        };
        /** @description The absolute URLs of everything in this environment. */
        ServiceIndex: {
            /**
             * @description The fixed identifier of this service.
             * @example waitlist-web
             */
            service: string;
            /**
             * @description The major version of the API.
             * @constant
             */
            apiVersion: "1";
            /**
             * @description The environment that answered.
             * @enum {string}
             */
            environment: "production" | "sandbox";
            /**
             * Format: uri
             * @description The status probe.
             */
            status: string;
            /**
             * Format: uri
             * @description The token endpoint.
             */
            token: string;
            /**
             * Format: uri
             * @description The sign-up.
             */
            waitlist: string;
            /**
             * Format: uri
             * @description The statistics.
             */
            stats: string;
            /**
             * Format: uri
             * @description The OpenAPI document.
             */
            openapi: string;
            /**
             * Format: uri
             * @description The developer page.
             */
            docs: string;
            discovery: {
                /**
                 * Format: uri
                 * @description Authorization server metadata (RFC 8414).
                 */
                authorizationServer: string;
                /**
                 * Format: uri
                 * @description Protected resource metadata (RFC 9728).
                 */
                protectedResource: string;
                /**
                 * Format: uri
                 * @description The API catalog (RFC 9727).
                 */
                apiCatalog: string;
            };
        };
    };
    responses: {
        /** @description The service is up. */
        Status: {
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
                "application/json": components["schemas"]["Status"];
            };
        };
        /** @description The index of this environment. */
        ServiceIndex: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Link: components["headers"]["DiscoveryLinks"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceIndex"];
            };
        };
        /** @description The counts at this moment. */
        WaitlistStats: {
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
                "application/json": components["schemas"]["WaitlistStats"];
            };
        };
        /** @description The access token. */
        TokenIssued: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Pragma: components["headers"]["Pragma"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenResponse"];
            };
        };
        /** @description The sign-up was accepted (JSON requests). */
        Accepted: {
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
                "application/json": components["schemas"]["Accepted"];
            };
        };
        /**
         * @description The sign-up was accepted (form-encoded requests); the thanks page follows. This answer alone carries
         *     neither `X-API-Version` nor `RateLimit-*`.
         */
        Thanks: {
            headers: {
                Location: components["headers"]["ThanksLocation"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The body cannot be read as a sign-up. `invalid_json`: malformed JSON, invalid UTF-8 or an empty JSON body.
         *     `invalid_request`: not an object, an unknown field, a wrong value of an optional field, a form field
         *     given twice, or a form of more than 100 fields.
         */
        SignupInvalid: {
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
                "text/html": string;
            };
        };
        /** @description The address is not valid (`invalid_email`), or consent was not given (`consent_required`). */
        SignupRefused: {
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
                "text/html": string;
            };
        };
        /**
         * @description The request is malformed, of another content type or without `grant_type` (`invalid_request`), asks for
         *     another grant (`unsupported_grant_type`), or for a scope that the client does not have (`invalid_scope`).
         */
        TokenRequestInvalid: {
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
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Client authentication is missing or failed. */
        ClientRejected: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["BasicChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /**
         * @description `unauthorized`: no Bearer token was sent. `invalid_token`: the token is malformed, expired, or of the
         *     other environment.
         */
        TokenRejected: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["TokenChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is valid, but lacks the scope `waitlist:stats:read`. */
        ScopeMissing: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path takes GET and HEAD only. */
        GetOrHeadOnly: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["AllowGetHead"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path takes POST only. */
        PostOnly: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Allow: components["headers"]["AllowPost"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KB (65,536 bytes). */
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
        /** @description The body is larger than 64 KB (65,536 bytes). */
        SignupPayloadTooLarge: {
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
                "text/html": string;
            };
        };
        /**
         * @description `Content-Type` is absent, or neither `application/json` nor `application/x-www-form-urlencoded`. Parameters
         *     and letter case do not matter. The answer is the same if `Content-Encoding` is not `identity`.
         */
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
                "text/html": string;
            };
        };
        /** @description The limit of this window is exceeded. */
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
        /** @description The limit of this window is exceeded. */
        SignupRateLimited: {
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
                "text/html": string;
            };
        };
        /** @description An unexpected error in the service. The same request may succeed later. */
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
                "Retry-After": components["headers"]["RetryAfterFault"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An unexpected error in the service. The same request may succeed later. */
        SignupInternalError: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfterFault"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description The headers of the GET's 200, without a body. */
        HeadOk: {
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
            content?: never;
        };
        /** @description The headers of the GET's 200, without a body. */
        HeadServiceIndex: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Link: components["headers"]["DiscoveryLinks"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The headers of the GET's 401, without a body. */
        HeadTokenRejected: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["TokenChallenge"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The headers of the GET's 403, without a body. */
        HeadScopeMissing: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["ScopeChallenge"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The headers of the GET's 429, without a body. */
        HeadRateLimited: {
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
            content?: never;
        };
        /** @description The headers of the GET's 500, without a body. */
        HeadInternalError: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfterFault"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The sign-up was accepted (JSON requests). */
        LegacyAccepted: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Accepted"];
            };
        };
        /**
         * @description The sign-up was accepted (form-encoded requests); the thanks page follows. This answer alone carries
         *     neither `X-API-Version` nor `RateLimit-*`.
         */
        LegacyThanks: {
            headers: {
                Location: components["headers"]["ThanksLocation"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description The body cannot be read as a sign-up. `invalid_json`: malformed JSON, invalid UTF-8 or an empty JSON body.
         *     `invalid_request`: not an object, an unknown field, a wrong value of an optional field, a form field
         *     given twice, or a form of more than 100 fields.
         */
        LegacySignupInvalid: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description The address is not valid (`invalid_email`), or consent was not given (`consent_required`). */
        LegacySignupRefused: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description The path takes POST only. */
        LegacyPostOnly: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                Allow: components["headers"]["AllowPost"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KB (65,536 bytes). */
        LegacyPayloadTooLarge: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /**
         * @description `Content-Type` is absent, or neither `application/json` nor `application/x-www-form-urlencoded`. Parameters
         *     and letter case do not matter. The answer is the same if `Content-Encoding` is not `identity`.
         */
        LegacyUnsupportedMediaType: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description The limit of this window is exceeded. */
        LegacyRateLimited: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description An unexpected error in the service. The same request may succeed later. */
        LegacyInternalError: {
            headers: {
                "X-API-Version": components["headers"]["ApiVersion"];
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Cache-Control": components["headers"]["CacheControl"];
                "X-Content-Type-Options": components["headers"]["ContentTypeOptions"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Link: components["headers"]["SuccessorLink"];
                "Retry-After": components["headers"]["RetryAfterFault"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
    };
    parameters: {
        /**
         * @description The languages that a person reads (RFC 9110 section 12.5.4). If the service has not read the body of a form,
         *     its error page is in the first of these languages that the service has. Programs need not send this header.
         */
        AcceptLanguage: string;
        /**
         * @description For a server of the company that posts sign-ups for its visitors: the address (IP) of the visitor, whom the limits
         *     then count. It goes with `Authorization: Bearer` and a key that the operator gives to the company's own programs,
         *     and changes nothing without such a key.
         * @example 203.0.113.7
         */
        ClientAddress: string;
        /**
         * @description The code of the person by whose link the sign-up comes. Only a new address keeps it. A code that is unknown or
         *     malformed changes nothing, and the sandbox ignores every code.
         * @example Abc1234567
         */
        ReferralCode: string;
        /**
         * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
         *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
         *     that is empty or given twice changes nothing, and the sandbox ignores every value.
         * @example newsletter
         */
        UtmSource: string;
        /**
         * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
         *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
         *     that is empty or given twice changes nothing, and the sandbox ignores every value.
         * @example email
         */
        UtmMedium: string;
        /**
         * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
         *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
         *     that is empty or given twice changes nothing, and the sandbox ignores every value.
         * @example launch
         */
        UtmCampaign: string;
    };
    requestBodies: {
        /** @description The sign-up, as JSON or as an HTML form sends it. */
        WaitlistSignup: {
            content: {
                "application/json": components["schemas"]["WaitlistSignup"];
                "application/x-www-form-urlencoded": components["schemas"]["WaitlistSignupForm"];
            };
        };
    };
    headers: {
        /**
         * @description The major version of the API.
         * @example 1
         */
        ApiVersion: "1";
        /**
         * @description Requests allowed in the window.
         * @example 30
         */
        RateLimitLimit: 30 | 120;
        /**
         * @description Requests left in the window.
         * @example 29
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the window resets.
         * @example 42
         */
        RateLimitReset: number;
        /**
         * @description The limit and its window in seconds.
         * @example 30;w=60
         */
        RateLimitPolicy: "30;w=60" | "120;w=60";
        /**
         * @description Answers of the API are never cached.
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description Tells clients to use the content type as it is sent.
         * @example nosniff
         */
        ContentTypeOptions: "nosniff";
        /**
         * @description The id of this request in the log of the service; name it when you ask about an answer.
         * @example k7Qx2B
         */
        RequestId: string;
        /**
         * @description The same as `Cache-Control`, for old caches (RFC 6749 section 5.1).
         * @example no-cache
         */
        Pragma: "no-cache";
        /**
         * @description The methods that this path takes.
         * @example GET, HEAD
         */
        AllowGetHead: "GET, HEAD";
        /**
         * @description The methods that this path takes.
         * @example POST
         */
        AllowPost: "POST";
        /**
         * @description Seconds to wait, the same number as `RateLimit-Reset`.
         * @example 42
         */
        RetryAfter: number;
        /**
         * @description Seconds to wait, when the service can tell.
         * @example 5
         */
        RetryAfterFault: number;
        /**
         * @description The thanks page, `/de/danke/` for `lang=de`.
         * @example /thanks/
         */
        ThanksLocation: "/thanks/" | "/de/danke/";
        /**
         * @description Sent when the request carried an `Authorization` header.
         * @example Basic realm="waitlist-web", charset="UTF-8"
         */
        BasicChallenge: string;
        /**
         * @description The challenge of RFC 6750, with the body's error code and a pointer to the protected resource metadata
         *     (RFC 9728) of this environment.
         * @example Bearer realm="waitlist-web", error="invalid_token", error_description="The access token is invalid or expired; get a new one at the token endpoint.", scope="waitlist:stats:read", resource_metadata="https://waitlist.example/.well-known/oauth-protected-resource/api/v1"
         */
        TokenChallenge: string;
        /**
         * @description The challenge of RFC 6750, with the body's error code and a pointer to the protected resource metadata
         *     (RFC 9728) of this environment.
         * @example Bearer realm="waitlist-web", error="insufficient_scope", error_description="The access token lacks the scope waitlist:stats:read.", scope="waitlist:stats:read", resource_metadata="https://waitlist.example/.well-known/oauth-protected-resource/api/v1"
         */
        ScopeChallenge: string;
        /**
         * @description Where this API is described: the API catalog (RFC 9727), the OpenAPI document and the developer page.
         * @example <https://waitlist.example/.well-known/api-catalog>; rel="api-catalog", <https://waitlist.example/openapi.json>; rel="service-desc"; type="application/json", <https://waitlist.example/developers/>; rel="service-doc"; type="text/html"
         */
        DiscoveryLinks: string;
        /**
         * @description The time since when this path is deprecated, in Unix seconds (RFC 9745).
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description The path to use in place of this one.
         * @example <https://waitlist.example/api/v1/waitlist>; rel="successor-version"
         */
        SuccessorLink: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ServiceIndex"];
            405: components["responses"]["GetOrHeadOnly"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    headIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HeadServiceIndex"];
            429: components["responses"]["HeadRateLimited"];
            500: components["responses"]["HeadInternalError"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Status"];
            405: components["responses"]["GetOrHeadOnly"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    headStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HeadOk"];
            429: components["responses"]["HeadRateLimited"];
            500: components["responses"]["HeadInternalError"];
        };
    };
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            200: components["responses"]["TokenIssued"];
            400: components["responses"]["TokenRequestInvalid"];
            401: components["responses"]["ClientRejected"];
            405: components["responses"]["PostOnly"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    joinWaitlist: {
        parameters: {
            query?: {
                /**
                 * @description The code of the person by whose link the sign-up comes. Only a new address keeps it. A code that is unknown or
                 *     malformed changes nothing, and the sandbox ignores every code.
                 * @example Abc1234567
                 */
                r?: components["parameters"]["ReferralCode"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example newsletter
                 */
                utm_source?: components["parameters"]["UtmSource"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example email
                 */
                utm_medium?: components["parameters"]["UtmMedium"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example launch
                 */
                utm_campaign?: components["parameters"]["UtmCampaign"];
            };
            header?: {
                /**
                 * @description The languages that a person reads (RFC 9110 section 12.5.4). If the service has not read the body of a form,
                 *     its error page is in the first of these languages that the service has. Programs need not send this header.
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description For a server of the company that posts sign-ups for its visitors: the address (IP) of the visitor, whom the limits
                 *     then count. It goes with `Authorization: Bearer` and a key that the operator gives to the company's own programs,
                 *     and changes nothing without such a key.
                 * @example 203.0.113.7
                 */
                "Waitlist-Client-Address"?: components["parameters"]["ClientAddress"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WaitlistSignup"];
        responses: {
            200: components["responses"]["Accepted"];
            303: components["responses"]["Thanks"];
            400: components["responses"]["SignupInvalid"];
            405: components["responses"]["PostOnly"];
            413: components["responses"]["SignupPayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["SignupRefused"];
            429: components["responses"]["SignupRateLimited"];
            500: components["responses"]["SignupInternalError"];
        };
    };
    getWaitlistStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WaitlistStats"];
            401: components["responses"]["TokenRejected"];
            403: components["responses"]["ScopeMissing"];
            405: components["responses"]["GetOrHeadOnly"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    headWaitlistStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["HeadOk"];
            401: components["responses"]["HeadTokenRejected"];
            403: components["responses"]["HeadScopeMissing"];
            429: components["responses"]["HeadRateLimited"];
            500: components["responses"]["HeadInternalError"];
        };
    };
    joinWaitlistLegacy: {
        parameters: {
            query?: {
                /**
                 * @description The code of the person by whose link the sign-up comes. Only a new address keeps it. A code that is unknown or
                 *     malformed changes nothing, and the sandbox ignores every code.
                 * @example Abc1234567
                 */
                r?: components["parameters"]["ReferralCode"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example newsletter
                 */
                utm_source?: components["parameters"]["UtmSource"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example email
                 */
                utm_medium?: components["parameters"]["UtmMedium"];
                /**
                 * @description A part of the campaign that brings the sign-up: its source, its medium or its name. Only a new address keeps it, in
                 *     lower case, cut after 40 characters, and with `-` for each character but `a-z`, `0-9`, `_` and `-`. A parameter
                 *     that is empty or given twice changes nothing, and the sandbox ignores every value.
                 * @example launch
                 */
                utm_campaign?: components["parameters"]["UtmCampaign"];
            };
            header?: {
                /**
                 * @description The languages that a person reads (RFC 9110 section 12.5.4). If the service has not read the body of a form,
                 *     its error page is in the first of these languages that the service has. Programs need not send this header.
                 */
                "Accept-Language"?: components["parameters"]["AcceptLanguage"];
                /**
                 * @description For a server of the company that posts sign-ups for its visitors: the address (IP) of the visitor, whom the limits
                 *     then count. It goes with `Authorization: Bearer` and a key that the operator gives to the company's own programs,
                 *     and changes nothing without such a key.
                 * @example 203.0.113.7
                 */
                "Waitlist-Client-Address"?: components["parameters"]["ClientAddress"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WaitlistSignup"];
        responses: {
            200: components["responses"]["LegacyAccepted"];
            303: components["responses"]["LegacyThanks"];
            400: components["responses"]["LegacySignupInvalid"];
            405: components["responses"]["LegacyPostOnly"];
            413: components["responses"]["LegacyPayloadTooLarge"];
            415: components["responses"]["LegacyUnsupportedMediaType"];
            422: components["responses"]["LegacySignupRefused"];
            429: components["responses"]["LegacyRateLimited"];
            500: components["responses"]["LegacyInternalError"];
        };
    };
}
