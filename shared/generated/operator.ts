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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What a new client is to be. */
        NewClient: {
            /** @description What the operator calls it; not only spaces. */
            name: string;
            /** @description What its tokens may do. A client without scopes gets tokens that may do nothing. */
            scopes: "waitlist:stats:read"[];
        };
        IssuedClient: {
            /** @description The OAuth client_id. */
            clientId: string;
            /**
             * Format: password
             * @description The OAuth client_secret, which is shown this once.
             */
            clientSecret: string;
            /** @description What the operator calls it; not only spaces. */
            name: string;
            /** @description What its tokens may do. A client without scopes gets tokens that may do nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
        };
        Client: {
            /** @description The OAuth client_id. */
            clientId: string;
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
                 * @description When a rotation's overlap ends it; absent for the current one.
                 */
                expiresAt?: string;
            }[];
            /**
             * Format: date
             * @description The UTC day on which it last got a token; absent if it never has.
             */
            lastUsed?: string;
        };
        ClientList: {
            clients: components["schemas"]["Client"][];
        };
        Address: {
            /**
             * Format: email
             * @description The e-mail address; its case does not matter.
             */
            email: string;
        };
        /** @description A sign-up as it is kept. */
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
        /** @description What went wrong, as a stable code for programs and a sentence for people. */
        Error: {
            /**
             * @description The machine code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_json" | "unauthorized" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error";
            /** @description What happened and what helps. The wording may change; rely on `error`. */
            message: string;
        };
    };
    responses: {
        /**
         * @description The body cannot be read (`invalid_json`) or says something that it cannot (`invalid_request`); the message
         *     names the field. Also `invalid_request` where the `Host` header is no plain authority.
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
                "WWW-Authenticate": components["headers"]["KeyChallenge"];
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
                Allow: components["headers"]["Allow"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                    };
                };
            };
            400: components["responses"]["Invalid"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientList"];
                };
            };
            400: components["responses"]["Invalid"];
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
                "application/json": components["schemas"]["NewClient"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedClient"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
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
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
}
