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
    "/operator/v1/clients/{client_id}/rename": {
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
         * Give a client another name
         * @description Its id, its secrets and its tokens stay as they are.
         */
        post: operations["renameClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/clients/{client_id}/delete": {
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
         * Delete a client
         * @description The client, its secrets and the day of its last use are removed for good; the audit log keeps its name. It gets
         *     no new token, at once in the process that answers and within a second in every other process. Its existing
         *     tokens stay valid until their 900 seconds have passed.
         */
        post: operations["deleteClient"];
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
         * @description Makes a new root key. The key signs tokens after 60 seconds, when every process knows the key, so that no
         *     valid token is refused. During this time, another call returns the same key.
         */
        post: operations["rotateKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/keys/links/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the key of the links to people's pages
         * @description Makes a new key for links to self-service pages. Within a second, every process makes links with this key.
         *     Older links work for some more time, so that people can still withdraw by the e-mails that they have. Rotate
         *     the key if links may be in wrong hands, for example after an export with links got lost.
         */
        post: operations["rotateLinkKey"];
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
         * Show the stored data of a person
         * @description Answers a person's access request. `history` has the entries of the audit log about this person, the newest
         *     first. The answer is 404 if the address, or the id, is not on the waitlist. A call with `export` is itself in
         *     the audit log.
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
         * @description Answers a person's erasure request. It deletes the record and removes it from the statistics at the same
         *     moment. An erasure mark remains, which is a keyed hash of the address, so that no import and no restore brings
         *     the address back. A new sign-up by the person removes the erasure mark. A second erasure of the same address
         *     changes nothing.
         */
        post: operations["eraseSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct an address
         * @description Gives a person another address, for example if the address was mistyped. The record moves to the new address
         *     with its first sign-up, answers and state. The proof of consent is kept as history, because it belongs to the
         *     old address. If the service sends mail, a person who is not invited yet becomes `unconfirmed` and is asked to
         *     confirm the new address, within the e-mail limits. An invited person gets a new code, by e-mail if the service
         *     sends mail, and the old code is void. A person who has accepted keeps the code.
         *
         *     An erasure mark of the old address remains, which is a keyed hash. The answer is 404 if the old address is not
         *     on the waitlist. It is 409 if the new address is on the waitlist, or has an erasure mark of another person. A
         *     correction back to an earlier address of the person is allowed. A second call for the same correction changes
         *     nothing.
         */
        post: operations["correctSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change role and use case
         * @description Sets the answers of a person that a sign-up cannot set. `null` removes an answer, and an absent answer does
         *     not change. There can be 64 different values of each answer; a further value is refused with 409 `conflict`.
         */
        post: operations["setAnswers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the note on a person
         * @description Sets the note that operators keep on a person. `null` or an empty text removes the note. The person can read
         *     the note on the self-service page and in the download of the data, so write nothing into it that the person
         *     must not know. A correction of the address keeps the note, and an erasure removes it. Events do not have it.
         */
        post: operations["setNote"];
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
         *     import goes on. So is a line of an address that was erased, unless its `consentedAt` is later than the
         *     erasure: the person has signed up since. To send lines again changes nothing.
         *
         *     The name of an answer in `brand.yaml` is stored as the slug of the answer, such as `software-engineer` for
         *     `Software Engineer`.
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
    "/operator/v1/signups/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List people
         * @description Lists people page by page in the order of their first sign-up. A call reads 3,500 entries at most: one entry of
         *     each person for most filters, and two or three for filters that need the person's record, such as
         *     `refusedLetter`, `reached` and `referrals`. So with a search or a filter, a page may have fewer people than the
         *     limit, or even none, and `searched` says how far the search has come. The list continues as long as there is
         *     `next`. Records that cannot be read are left out.
         */
        post: operations["listSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count people
         * @description Counts the people who fit a selection. A call counts for about a second. As long as there is `next`, `count` is
         *     the number so far, and a further call with `after` goes on.
         */
        post: operations["countSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask people again to confirm
         * @description Puts another confirmation e-mail into the outbox for people who have not confirmed: those with the given
         *     addresses, or all. A person is left out if the mailbox got an e-mail within the last 24 hours, or three e-mails
         *     within 30 days, since the address was unconfirmed. If the service sends no e-mails, the call is refused with
         *     409.
         */
        post: operations["remindSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/undeliverable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark addresses as undeliverable
         * @description Marks addresses as undeliverable, for example because e-mails came back. No e-mail goes to these addresses
         *     until the person signs up again. The history of each person then has the operator and the reason.
         */
        post: operations["markUndeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/deliverable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send e-mails to addresses again
         * @description Removes the marks that bounces, complaints and operators have set, so that e-mails go to these addresses
         *     again. Later reports of a mail provider about an earlier moment change nothing. The complaint of a mailbox is
         *     removed even if the person has left.
         */
        post: operations["markDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/signups/erase-by-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase people by state and age
         * @description Erases everybody who is in a state and whose first sign-up was before a time. As with `eraseSignup`, an
         *     erasure mark of each address remains. After a cut, another call continues.
         */
        post: operations["eraseSignups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invitations/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an invitation
         * @description Returns the invitation with the code, in any state. It changes nothing.
         */
        post: operations["checkInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invitations/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem an invitation
         * @description Moves the person from `invited` to `accepted`, once. The call can be repeated: a second call with the same
         *     `reference` gets the same answer, even after the invitation has expired.
         */
        post: operations["redeemInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invitations/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an invitation expire later
         * @description Changes the time until which the code can be redeemed. If the person has accepted, nothing changes.
         */
        post: operations["renewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invitations/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invitation again
         * @description Puts the invitation e-mail to a person into the outbox again, with the same code, link and end as before. The
         *     call is refused with 410 if the invitation has expired, and with 409 in these cases: the person is not invited;
         *     e-mails do not go to the address after a bounce or a complaint; the wave is paused, is cancelled or sends no
         *     e-mails; the service does not know the link, cannot read the data of the address, or sends no e-mails; the
         *     e-mail still waits in the outbox; the wave or a correction put it there, or the mail server took or refused it,
         *     within the last 24 hours. If the wave is paused or cancelled before the e-mail is sent, the e-mail is removed. A
         *     resumed wave does not put the e-mail back if the mail server has taken an earlier one.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/invitations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test of an invitation
         * @description Sends the invitation e-mail to an address, in each of the languages, without the outbox and its limits, and
         *     returns the mail server's answers, after 60 seconds at most. The code in the link is not valid, and nobody is
         *     invited. An operator sends five of these e-mails a UTC day at most. The call is refused with 409 after these, if
         *     `MAIL_URL` is not set, or if the mailbox has complained.
         */
        post: operations["testInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the waves
         * @description Lists the waves of invitations, the newest first, at most 100.
         */
        get: operations["listWaves"];
        put?: never;
        /**
         * Start a wave of invitations, or plan one
         * @description Invites the next waiting people in the order of their first sign-up, or people whose addresses are named. Each
         *     of them becomes `invited` and gets a code, and an e-mail goes into the outbox. People whose address is
         *     undeliverable, and people who complained, are passed over.
         *
         *     The wave is in the store. Every process of the service works on it, even if the caller has gone or a process
         *     is killed, and it never invites more than `next` people. A second call with the same body and the same id
         *     returns the present state of the wave. Another body with a known id is refused with 409, and so is `letters`
         *     if the service sends no e-mails.
         *
         *     With `dryRun`, nothing changes, and the answer is the plan, with exact numbers. The answer is also the plan if
         *     a wave has looked at all people and invited nobody, because such a wave is deleted. While such a wave still
         *     looks at people, the answer is its present state; after that, it is gone (404).
         */
        post: operations["startWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /**
         * Show a wave
         * @description Shows the request of the wave, how many people are invited, how many e-mails were taken or refused or wait, how
         *     many people have accepted, and how long half of them took.
         */
        get: operations["showWave"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves/{id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /**
         * List the people of a wave
         * @description Lists the people whom a wave has invited and who are still on the list, in the order of their first sign-up. A
         *     key whose role may not export the list gets neither codes nor links.
         */
        get: operations["listWavePeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a wave
         * @description Stops the wave from inviting people until it is resumed. Its e-mails that no mail server has taken yet leave
         *     the outbox within seconds, 500 a second, except those that are being sent. An e-mail that was tried before
         *     leaves the outbox when its next try would be due. `resumeWave` puts the e-mails into the outbox again. People
         *     who are invited stay invited. A wave that is `done` can be paused while its e-mails wait, which means that
         *     `taken` and `refused` together are fewer than `invited`.
         */
        post: operations["pauseWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a wave
         * @description Continues the wave. First, it puts e-mails into the outbox again: those of invited people that no mail server
         *     has taken and that are not in the outbox, for example after a pause, after a restore, or because they were
         *     refused. It does this also for a wave that is done. `lettersAgain` in the answer of `showWave` counts these
         *     e-mails. The history of each person whose refused e-mail is sent again has the call. If the wave was done, the
         *     history of everybody who gets an e-mail again has it.
         *
         *     A wave pauses by itself at the time `expires`, and cannot be resumed after that. A wave with named people
         *     whose start was not finished cannot be resumed either, because some of its people are not known. Start such a wave
         *     again with the same body.
         */
        post: operations["resumeWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/waves/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a wave
         * @description Ends the wave. It invites nobody else, and its e-mails that no mail server has taken yet are not sent, as with
         *     `pauseWave`. A wave that is `done` can be cancelled too. People who are invited stay invited, and keep their
         *     codes: `listWavePeople` has the URLs, for e-mails by other means. A restore does not put e-mails of the wave
         *     into the outbox again.
         */
        post: operations["cancelWave"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of waves
         * @description Lists all schedules in the order of their ids, with those that are done or cancelled.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Make a schedule of waves, or plan one
         * @description Starts a wave each day or each week, at a time that clocks show in a zone. Each run starts a wave of its own,
         *     whose id is the schedule's id, `-` and the day on which the run is due. A run happens once, within a minute of
         *     its time, whatever the number of processes. A time that a change of clocks leaves out happens at the next
         *     minute that exists, and a time that comes twice happens once.
         *
         *     A run is left out while the wave of the run before it is neither done nor cancelled, while the schedule is
         *     paused, where its wave exists already, and where `letters` is true and the service sends none. A run that was
         *     missed happens when the service is up again, if less than 24 hours have passed. `getOverview` has the runs that
         *     were left out.
         *
         *     The same body with the same id gives the schedule as it is then; another body with a known id is refused with
         *     409. So is `letters` where the service sends no e-mails.
         *
         *     With `dryRun`, nothing changes: the answer is what the next three runs would do if nobody joined or left.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description The schedule starts no wave until it is resumed. The waves that it has started go on.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a schedule
         * @description The schedule goes on with the first run that is due later. Runs that were due in the pause are not made up. A
         *     schedule without a further run is `done` then.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/schedules/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a schedule
         * @description The schedule starts no further wave, and cannot be resumed. The waves that it has started go on; `cancelWave`
         *     ends one of them.
         */
        post: operations["cancelSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the saved filters
         * @description Lists the filters that the operator of the key has saved, in the order of their names.
         */
        get: operations["listFilters"];
        put?: never;
        /**
         * Save a filter
         * @description Saves a filter of the list of people for the operator of the key, in place of the operator's filter with the same
         *     name. An operator can save 50 filters; one more is refused with 409. A filter has no search, because the text of
         *     a search can be a person's address, which an erasure would not remove. Backups have no filters.
         */
        post: operations["saveFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/filters/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a saved filter
         * @description Removes a filter that the operator of the key has saved.
         */
        post: operations["removeFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs
         * @description Lists the last 100 jobs, the newest first. A job is kept for 90 days after its end.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Act on everybody who fits a selection
         * @description Asks people again to confirm, or erases them. The job is in the store. It goes on if the caller has gone or a
         *     process is killed, and it acts on no more than `most` people: give the number that `countSignups` returned, so
         *     that nobody is erased whom you have not seen. The job checks for each person that the person still fits, and
         *     writes an entry for each person to the audit log. A job that is not done after 7 days is cancelled.
         *
         *     `remind` is only for people who are `unconfirmed`, and keeps the e-mail limits: a person who was asked within
         *     24 hours, or three times within 30 days, is passed over. Without mail, it is refused with 409.
         *
         *     A second call with the same body and the same id returns the job as it is. Another body with a known id is
         *     refused with 409. To invite people, start a wave.
         */
        post: operations["startJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /**
         * Show a job
         * @description Shows what a job does and how far it has come.
         */
        get: operations["showJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description The job acts on nobody else. What it has done stays done. A job that is done is refused with 409.
         */
        post: operations["cancelJob"];
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
         * @description Recounts all records and compares the counters of the statistics, and the lists of people, with the
         *     result. The recount is exact
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
         * Correct the counters and the lists
         * @description Recounts all records, corrects the lists of people, and corrects the counters by the differences if the
         *     recount is exact. If it is not exact, it recounts again, at most five times. A sign-up that arrives meanwhile
         *     is counted as usual.
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
         * @description Streams everything that a new store needs: the sign-ups, their counters, the clients with the digests of their
         *     secrets, and the erasure marks. It does not contain signing keys and request limits. Records that cannot be
         *     read are listed. The last line has a checksum of all lines before it.
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
         * @description Stores lines of the backup. The erasure key and the erasure marks must come before the sign-ups, so that
         *     erased addresses are left out, unless their owners have consented again since. Sending lines again changes
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
         * @description Recounts all records. If the counters agree with them, the restore is finished. Another call after that
         *     gets 404, for example because the last line was lost; `verifyCounters` recounts again.
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
         * @description Streams the entries of the audit log, the oldest first; with `newest`, the latest ones, the newest first. There
         *     is an entry for each call that changed something, and for each export and backup. A call that marks several
         *     addresses as undeliverable, or lets e-mails go to them again, has an entry for each of them. Calls without a
         *     right key are counted in one entry a minute and process. Entries are kept for 400 days.
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
    "/operator/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview
         * @description Returns the people by state, the counts of the statistics, the sign-ups of the last 90 days, the e-mails and
         *     events in the outbox, the times of the last regular work, and what is still to do before people use the
         *     service.
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
    "/operator/v1/letters/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what became of e-mails
         * @description Lists the e-mails of the last 90 days that the mail server took or refused, the newest first. E-mails that were
         *     not tried yet are only in the outbox. The service keeps no address with an e-mail: `email` is the present
         *     address of the person. The e-mails of a person who has left are gone.
         *
         *     A call reads 1,500 e-mails at most. A refused e-mail counts twice, and so does each invitation with `wave`,
         *     because the person must be read as well. So a page may have fewer e-mails than the limit, or even none. The
         *     list continues as long as there is `next`, which begins with the time of the last e-mail that was read.
         *     `showSignup` gives the e-mails to one person.
         */
        post: operations["listLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/outbox/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List e-mails and events
         * @description Lists e-mails and events that wait, or those that were refused and are not tried any more, the oldest first.
         */
        post: operations["listOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/outbox/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try e-mails and events again
         * @description Makes e-mails and events due at once: those with the given ids, all that were refused, all of these except those
         *     to people who are marked as undeliverable, or all that wait because their last try failed, as after an outage.
         *     The history of each person whose e-mail or event is made due has an entry, unless `waiting` is given. A refused
         *     e-mail that is not sent any more, such as an invitation to a person who has accepted, leaves the outbox. E-mails
         *     that a limit holds back go on waiting. An event that the receiver has accepted is sent once more if its id is in
         *     `listDeliveries`, unless an address in the event has left the list. The mark as undeliverable is removed from
         *     each person whose e-mail is made due, unless `waiting` is given. If all e-mails are paused, one of them is tried
         *     at once, and the others follow when it is taken. An e-mail that is being sent at this moment, or is due within
         *     five minutes, does not change. An invitation of a wave that is paused or cancelled leaves the outbox without
         *     being sent.
         *
         *     `pause` only tests a pause of all e-mails: one e-mail is tried at once, the first that is due or, if none is due,
         *     the one that is due next. The other e-mails keep their times and tries. Without a pause, nothing changes. The
         *     entry of the audit log has `testedPause` in its details in both cases.
         */
        post: operations["retryOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/letters/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test e-mail
         * @description Sends one e-mail to an address, without the outbox and its limits, and returns the mail server's answer, after
         *     60 seconds at most. An operator sends 20 of these e-mails a UTC day at most. The call is refused with 409 after
         *     these, if `MAIL_URL` is not set, or if the mailbox has complained.
         */
        post: operations["testLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last deliveries of events
         * @description Lists the events that were tried last, at most 100, the newest first, each with its last try. `retryOutbox`
         *     sends a listed event again, with the same `webhook-id`. Events about an erased person are not listed. Only the
         *     first 1,000 events of each queue are looked at.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends one event of the type `webhook.test` to `WEBHOOK_URL`, and says whether the receiver accepted it. If
         *     `WEBHOOK_URL` is not set, the call is refused with 409.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "signup.joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new address has signed up
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.joined" | "signup.confirmed" | "signup.corrected" | "signup.invited" | "signup.accepted";
                        /**
                         * Format: date-time
                         * @description The time of the change.
                         */
                        timestamp: string;
                        /** @description The person at that time, with the link to the self-service page. */
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
                             *     operation that shows a person have it.
                             */
                            id?: string;
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
                            /** @description The role, which a sign-up cannot carry. */
                            role?: string;
                            /** @description The use case, which a sign-up cannot carry. */
                            building?: string;
                            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                            utmSource?: string;
                            /** @description The medium of the campaign, from `utm_medium`. */
                            utmMedium?: string;
                            /** @description The name of the campaign, from `utm_campaign`. */
                            utmCampaign?: string;
                            /** @description The note of operators on the person, which the person can read. Events do not have it. */
                            note?: string;
                            /**
                             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                             * @enum {string}
                             */
                            state: "unconfirmed" | "waiting" | "invited" | "accepted";
                            /** @description The proof of consent, which is made when the person confirms. */
                            proof?: {
                                /**
                                 * Format: date-time
                                 * @description The time of the sign-up that was confirmed.
                                 */
                                requestedAt: string;
                                /**
                                 * @description The form of that sign-up.
                                 * @enum {string}
                                 */
                                source?: "hero" | "cta";
                                /**
                                 * @description The language of that sign-up.
                                 * @enum {string}
                                 */
                                lang?: "en" | "de";
                                /** @description The id of the wording that the person agreed to. */
                                consentText: string;
                                /**
                                 * Format: date-time
                                 * @description When the e-mail was put into the outbox.
                                 */
                                putAt?: string;
                                /**
                                 * Format: date-time
                                 * @description When the mail server took the e-mail.
                                 */
                                takenAt?: string;
                                /** @description The mail server's answer to the e-mail, without addresses. */
                                answer?: string;
                                /** @description The e-mail's `Message-ID`. */
                                messageId?: string;
                                /**
                                 * Format: date-time
                                 * @description When the person confirmed.
                                 */
                                confirmedAt: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the person was invited.
                             */
                            invitedAt?: string;
                            /** @description The code in the link of the invitation. */
                            invitationCode?: string;
                            /** @description The id of the wave in which the person was invited. */
                            wave?: string;
                            /**
                             * Format: date-time
                             * @description The end of the invitation. Without it, the invitation has no end.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description When the product redeemed the invitation.
                             */
                            acceptedAt?: string;
                            /** @description The product's id of the account. */
                            reference?: string;
                            /**
                             * Format: date-time
                             * @description The time when the mail server refused the address, or when an e-mail came back from it.
                             */
                            undeliverableAt?: string;
                            /**
                             * Format: date-time
                             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                             *     new sign-up, until an operator removes the mark.
                             */
                            complainedAt?: string;
                            /** @description The code in the person's link to recommend the list. */
                            referralCode?: string;
                            /** @description How many people on the list joined by the person's link; absent without a code. */
                            referrals?: number;
                            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                            referredBy?: string;
                            /** @description Whether the referral counts for the person by whose link this person signed up. */
                            referralCounts?: boolean;
                            /** @description The address of the person's page, which only the person should know. */
                            placeUrl: string;
                            /**
                             * Format: email
                             * @description The address before the correction; only for `signup.corrected`.
                             */
                            formerEmail?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signup.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person has confirmed the address
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.joined" | "signup.confirmed" | "signup.corrected" | "signup.invited" | "signup.accepted";
                        /**
                         * Format: date-time
                         * @description The time of the change.
                         */
                        timestamp: string;
                        /** @description The person at that time, with the link to the self-service page. */
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
                             *     operation that shows a person have it.
                             */
                            id?: string;
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
                            /** @description The role, which a sign-up cannot carry. */
                            role?: string;
                            /** @description The use case, which a sign-up cannot carry. */
                            building?: string;
                            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                            utmSource?: string;
                            /** @description The medium of the campaign, from `utm_medium`. */
                            utmMedium?: string;
                            /** @description The name of the campaign, from `utm_campaign`. */
                            utmCampaign?: string;
                            /** @description The note of operators on the person, which the person can read. Events do not have it. */
                            note?: string;
                            /**
                             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                             * @enum {string}
                             */
                            state: "unconfirmed" | "waiting" | "invited" | "accepted";
                            /** @description The proof of consent, which is made when the person confirms. */
                            proof?: {
                                /**
                                 * Format: date-time
                                 * @description The time of the sign-up that was confirmed.
                                 */
                                requestedAt: string;
                                /**
                                 * @description The form of that sign-up.
                                 * @enum {string}
                                 */
                                source?: "hero" | "cta";
                                /**
                                 * @description The language of that sign-up.
                                 * @enum {string}
                                 */
                                lang?: "en" | "de";
                                /** @description The id of the wording that the person agreed to. */
                                consentText: string;
                                /**
                                 * Format: date-time
                                 * @description When the e-mail was put into the outbox.
                                 */
                                putAt?: string;
                                /**
                                 * Format: date-time
                                 * @description When the mail server took the e-mail.
                                 */
                                takenAt?: string;
                                /** @description The mail server's answer to the e-mail, without addresses. */
                                answer?: string;
                                /** @description The e-mail's `Message-ID`. */
                                messageId?: string;
                                /**
                                 * Format: date-time
                                 * @description When the person confirmed.
                                 */
                                confirmedAt: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the person was invited.
                             */
                            invitedAt?: string;
                            /** @description The code in the link of the invitation. */
                            invitationCode?: string;
                            /** @description The id of the wave in which the person was invited. */
                            wave?: string;
                            /**
                             * Format: date-time
                             * @description The end of the invitation. Without it, the invitation has no end.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description When the product redeemed the invitation.
                             */
                            acceptedAt?: string;
                            /** @description The product's id of the account. */
                            reference?: string;
                            /**
                             * Format: date-time
                             * @description The time when the mail server refused the address, or when an e-mail came back from it.
                             */
                            undeliverableAt?: string;
                            /**
                             * Format: date-time
                             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                             *     new sign-up, until an operator removes the mark.
                             */
                            complainedAt?: string;
                            /** @description The code in the person's link to recommend the list. */
                            referralCode?: string;
                            /** @description How many people on the list joined by the person's link; absent without a code. */
                            referrals?: number;
                            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                            referredBy?: string;
                            /** @description Whether the referral counts for the person by whose link this person signed up. */
                            referralCounts?: boolean;
                            /** @description The address of the person's page, which only the person should know. */
                            placeUrl: string;
                            /**
                             * Format: email
                             * @description The address before the correction; only for `signup.corrected`.
                             */
                            formerEmail?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signup.corrected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An operator has corrected a person's address
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.joined" | "signup.confirmed" | "signup.corrected" | "signup.invited" | "signup.accepted";
                        /**
                         * Format: date-time
                         * @description The time of the change.
                         */
                        timestamp: string;
                        /** @description The person at that time, with the link to the self-service page. */
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
                             *     operation that shows a person have it.
                             */
                            id?: string;
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
                            /** @description The role, which a sign-up cannot carry. */
                            role?: string;
                            /** @description The use case, which a sign-up cannot carry. */
                            building?: string;
                            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                            utmSource?: string;
                            /** @description The medium of the campaign, from `utm_medium`. */
                            utmMedium?: string;
                            /** @description The name of the campaign, from `utm_campaign`. */
                            utmCampaign?: string;
                            /** @description The note of operators on the person, which the person can read. Events do not have it. */
                            note?: string;
                            /**
                             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                             * @enum {string}
                             */
                            state: "unconfirmed" | "waiting" | "invited" | "accepted";
                            /** @description The proof of consent, which is made when the person confirms. */
                            proof?: {
                                /**
                                 * Format: date-time
                                 * @description The time of the sign-up that was confirmed.
                                 */
                                requestedAt: string;
                                /**
                                 * @description The form of that sign-up.
                                 * @enum {string}
                                 */
                                source?: "hero" | "cta";
                                /**
                                 * @description The language of that sign-up.
                                 * @enum {string}
                                 */
                                lang?: "en" | "de";
                                /** @description The id of the wording that the person agreed to. */
                                consentText: string;
                                /**
                                 * Format: date-time
                                 * @description When the e-mail was put into the outbox.
                                 */
                                putAt?: string;
                                /**
                                 * Format: date-time
                                 * @description When the mail server took the e-mail.
                                 */
                                takenAt?: string;
                                /** @description The mail server's answer to the e-mail, without addresses. */
                                answer?: string;
                                /** @description The e-mail's `Message-ID`. */
                                messageId?: string;
                                /**
                                 * Format: date-time
                                 * @description When the person confirmed.
                                 */
                                confirmedAt: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the person was invited.
                             */
                            invitedAt?: string;
                            /** @description The code in the link of the invitation. */
                            invitationCode?: string;
                            /** @description The id of the wave in which the person was invited. */
                            wave?: string;
                            /**
                             * Format: date-time
                             * @description The end of the invitation. Without it, the invitation has no end.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description When the product redeemed the invitation.
                             */
                            acceptedAt?: string;
                            /** @description The product's id of the account. */
                            reference?: string;
                            /**
                             * Format: date-time
                             * @description The time when the mail server refused the address, or when an e-mail came back from it.
                             */
                            undeliverableAt?: string;
                            /**
                             * Format: date-time
                             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                             *     new sign-up, until an operator removes the mark.
                             */
                            complainedAt?: string;
                            /** @description The code in the person's link to recommend the list. */
                            referralCode?: string;
                            /** @description How many people on the list joined by the person's link; absent without a code. */
                            referrals?: number;
                            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                            referredBy?: string;
                            /** @description Whether the referral counts for the person by whose link this person signed up. */
                            referralCounts?: boolean;
                            /** @description The address of the person's page, which only the person should know. */
                            placeUrl: string;
                            /**
                             * Format: email
                             * @description The address before the correction; only for `signup.corrected`.
                             */
                            formerEmail?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signup.invited": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An operator has invited a person
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.joined" | "signup.confirmed" | "signup.corrected" | "signup.invited" | "signup.accepted";
                        /**
                         * Format: date-time
                         * @description The time of the change.
                         */
                        timestamp: string;
                        /** @description The person at that time, with the link to the self-service page. */
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
                             *     operation that shows a person have it.
                             */
                            id?: string;
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
                            /** @description The role, which a sign-up cannot carry. */
                            role?: string;
                            /** @description The use case, which a sign-up cannot carry. */
                            building?: string;
                            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                            utmSource?: string;
                            /** @description The medium of the campaign, from `utm_medium`. */
                            utmMedium?: string;
                            /** @description The name of the campaign, from `utm_campaign`. */
                            utmCampaign?: string;
                            /** @description The note of operators on the person, which the person can read. Events do not have it. */
                            note?: string;
                            /**
                             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                             * @enum {string}
                             */
                            state: "unconfirmed" | "waiting" | "invited" | "accepted";
                            /** @description The proof of consent, which is made when the person confirms. */
                            proof?: {
                                /**
                                 * Format: date-time
                                 * @description The time of the sign-up that was confirmed.
                                 */
                                requestedAt: string;
                                /**
                                 * @description The form of that sign-up.
                                 * @enum {string}
                                 */
                                source?: "hero" | "cta";
                                /**
                                 * @description The language of that sign-up.
                                 * @enum {string}
                                 */
                                lang?: "en" | "de";
                                /** @description The id of the wording that the person agreed to. */
                                consentText: string;
                                /**
                                 * Format: date-time
                                 * @description When the e-mail was put into the outbox.
                                 */
                                putAt?: string;
                                /**
                                 * Format: date-time
                                 * @description When the mail server took the e-mail.
                                 */
                                takenAt?: string;
                                /** @description The mail server's answer to the e-mail, without addresses. */
                                answer?: string;
                                /** @description The e-mail's `Message-ID`. */
                                messageId?: string;
                                /**
                                 * Format: date-time
                                 * @description When the person confirmed.
                                 */
                                confirmedAt: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the person was invited.
                             */
                            invitedAt?: string;
                            /** @description The code in the link of the invitation. */
                            invitationCode?: string;
                            /** @description The id of the wave in which the person was invited. */
                            wave?: string;
                            /**
                             * Format: date-time
                             * @description The end of the invitation. Without it, the invitation has no end.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description When the product redeemed the invitation.
                             */
                            acceptedAt?: string;
                            /** @description The product's id of the account. */
                            reference?: string;
                            /**
                             * Format: date-time
                             * @description The time when the mail server refused the address, or when an e-mail came back from it.
                             */
                            undeliverableAt?: string;
                            /**
                             * Format: date-time
                             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                             *     new sign-up, until an operator removes the mark.
                             */
                            complainedAt?: string;
                            /** @description The code in the person's link to recommend the list. */
                            referralCode?: string;
                            /** @description How many people on the list joined by the person's link; absent without a code. */
                            referrals?: number;
                            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                            referredBy?: string;
                            /** @description Whether the referral counts for the person by whose link this person signed up. */
                            referralCounts?: boolean;
                            /** @description The address of the person's page, which only the person should know. */
                            placeUrl: string;
                            /**
                             * Format: email
                             * @description The address before the correction; only for `signup.corrected`.
                             */
                            formerEmail?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signup.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The product has redeemed an invitation
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.joined" | "signup.confirmed" | "signup.corrected" | "signup.invited" | "signup.accepted";
                        /**
                         * Format: date-time
                         * @description The time of the change.
                         */
                        timestamp: string;
                        /** @description The person at that time, with the link to the self-service page. */
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
                             *     operation that shows a person have it.
                             */
                            id?: string;
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
                            /** @description The role, which a sign-up cannot carry. */
                            role?: string;
                            /** @description The use case, which a sign-up cannot carry. */
                            building?: string;
                            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                            utmSource?: string;
                            /** @description The medium of the campaign, from `utm_medium`. */
                            utmMedium?: string;
                            /** @description The name of the campaign, from `utm_campaign`. */
                            utmCampaign?: string;
                            /** @description The note of operators on the person, which the person can read. Events do not have it. */
                            note?: string;
                            /**
                             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                             * @enum {string}
                             */
                            state: "unconfirmed" | "waiting" | "invited" | "accepted";
                            /** @description The proof of consent, which is made when the person confirms. */
                            proof?: {
                                /**
                                 * Format: date-time
                                 * @description The time of the sign-up that was confirmed.
                                 */
                                requestedAt: string;
                                /**
                                 * @description The form of that sign-up.
                                 * @enum {string}
                                 */
                                source?: "hero" | "cta";
                                /**
                                 * @description The language of that sign-up.
                                 * @enum {string}
                                 */
                                lang?: "en" | "de";
                                /** @description The id of the wording that the person agreed to. */
                                consentText: string;
                                /**
                                 * Format: date-time
                                 * @description When the e-mail was put into the outbox.
                                 */
                                putAt?: string;
                                /**
                                 * Format: date-time
                                 * @description When the mail server took the e-mail.
                                 */
                                takenAt?: string;
                                /** @description The mail server's answer to the e-mail, without addresses. */
                                answer?: string;
                                /** @description The e-mail's `Message-ID`. */
                                messageId?: string;
                                /**
                                 * Format: date-time
                                 * @description When the person confirmed.
                                 */
                                confirmedAt: string;
                            };
                            /**
                             * Format: date-time
                             * @description When the person was invited.
                             */
                            invitedAt?: string;
                            /** @description The code in the link of the invitation. */
                            invitationCode?: string;
                            /** @description The id of the wave in which the person was invited. */
                            wave?: string;
                            /**
                             * Format: date-time
                             * @description The end of the invitation. Without it, the invitation has no end.
                             */
                            expiresAt?: string;
                            /**
                             * Format: date-time
                             * @description When the product redeemed the invitation.
                             */
                            acceptedAt?: string;
                            /** @description The product's id of the account. */
                            reference?: string;
                            /**
                             * Format: date-time
                             * @description The time when the mail server refused the address, or when an e-mail came back from it.
                             */
                            undeliverableAt?: string;
                            /**
                             * Format: date-time
                             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                             *     new sign-up, until an operator removes the mark.
                             */
                            complainedAt?: string;
                            /** @description The code in the person's link to recommend the list. */
                            referralCode?: string;
                            /** @description How many people on the list joined by the person's link; absent without a code. */
                            referrals?: number;
                            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                            referredBy?: string;
                            /** @description Whether the referral counts for the person by whose link this person signed up. */
                            referralCounts?: boolean;
                            /** @description The address of the person's page, which only the person should know. */
                            placeUrl: string;
                            /**
                             * Format: email
                             * @description The address before the correction; only for `signup.corrected`.
                             */
                            formerEmail?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signup.left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A person has left, was erased, or has never confirmed
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "signup.left";
                        /** Format: date-time */
                        timestamp: string;
                        data: {
                            /**
                             * Format: email
                             * @description The e-mail address. Upper and lower case are the same.
                             */
                            email: string;
                            /**
                             * @description Who ended the sign-up; `expired` for a person who has never confirmed.
                             * @enum {string}
                             */
                            reason: "person" | "operator" | "expired";
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service.attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The service needs attention
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "service.attention";
                        /** Format: date-time */
                        timestamp: string;
                        data: {
                            attention: {
                                /** @enum {string} */
                                about: "paused" | "late" | "refused" | "drift" | "noBackup" | "oldBackup" | "failedBackup";
                                /** @description The problem in English, for people. */
                                message: string;
                            }[];
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of the receiver
         * @description The service posts events to `WEBHOOK_URL`, signed by Standard Webhooks (https://www.standardwebhooks.com). An
         *     event may come twice, and events may come in another order.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event, the same over all tries. */
                    "webhook-id": string;
                    /** @description When this try was signed, in seconds since 1970. */
                    "webhook-timestamp": string;
                    /**
                     * @description `v1,` and a signature in base64. While the secret is replaced, there are two of them, separated by a
                     *     space, and one right signature is enough. Each is an HMAC-SHA256 of `id.timestamp.body`.
                     */
                    "webhook-signature": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "webhook.test";
                        /** Format: date-time */
                        timestamp: string;
                        data: {
                            /**
                             * Format: email
                             * @description Always `test@example.com`.
                             */
                            email: string;
                        };
                    };
                };
            };
            responses: {
                /** @description The event was taken. Every other answer has it tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The properties of a new client. */
        RequestedClient: {
            /** @description The operator's name for the client. It must not consist of spaces only. */
            name: string;
            /** @description The scopes of its tokens. A client without scopes gets tokens that allow nothing. */
            scopes: "waitlist:stats:read"[];
        };
        /** @description The new name of a client. */
        ClientName: {
            /** @description The operator's name for the client. It must not consist of spaces only. */
            name: string;
        };
        IssuedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /**
             * Format: password
             * @description The OAuth client_secret. It is shown only once.
             */
            client_secret: string;
            /** @description The operator's name for the client. It must not consist of spaces only. */
            name: string;
            /** @description The scopes of its tokens. A client without scopes gets tokens that allow nothing. */
            scopes: "waitlist:stats:read"[];
            /** Format: date-time */
            createdAt: string;
        };
        ListedClient: {
            /** @description The OAuth client_id. */
            client_id: string;
            /** @description The operator's name for the client. It must not consist of spaces only. */
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
        LinkKeyRotationRequest: {
            /** @description How long older links open, in seconds; 90 days unless given. 0 ends them at once. */
            overlapSeconds?: number;
        };
        LinkKeyRotation: {
            /**
             * Format: date-time
             * @description The time when older links stop working.
             */
            oldLinksUntil: string;
        };
        Address: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
        };
        /** @description The person to show, by `email` or by `id`. */
        ShowRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email?: string;
            /** @description The id of the record, from a list or from the page of a person. A corrected address keeps it. */
            id?: string;
            /** @description Whether the record is written to a file or passed on. The audit log then has an entry. */
            export?: boolean;
        };
        /** @description A stored sign-up. It may have members that are not listed here, such as those of a newer version. */
        Signup: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
             *     operation that shows a person have it.
             */
            id?: string;
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
            /** @description The role, which a sign-up cannot carry. */
            role?: string;
            /** @description The use case, which a sign-up cannot carry. */
            building?: string;
            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
            utmSource?: string;
            /** @description The medium of the campaign, from `utm_medium`. */
            utmMedium?: string;
            /** @description The name of the campaign, from `utm_campaign`. */
            utmCampaign?: string;
            /** @description The note of operators on the person, which the person can read. Events do not have it. */
            note?: string;
            /**
             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /** @description The proof of consent, which is made when the person confirms. */
            proof?: {
                /**
                 * Format: date-time
                 * @description The time of the sign-up that was confirmed.
                 */
                requestedAt: string;
                /**
                 * @description The form of that sign-up.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /**
                 * @description The language of that sign-up.
                 * @enum {string}
                 */
                lang?: "en" | "de";
                /** @description The id of the wording that the person agreed to. */
                consentText: string;
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt?: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the e-mail.
                 */
                takenAt?: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
                /** @description The e-mail's `Message-ID`. */
                messageId?: string;
                /**
                 * Format: date-time
                 * @description When the person confirmed.
                 */
                confirmedAt: string;
            };
            /**
             * Format: date-time
             * @description When the person was invited.
             */
            invitedAt?: string;
            /** @description The code in the link of the invitation. */
            invitationCode?: string;
            /** @description The id of the wave in which the person was invited. */
            wave?: string;
            /**
             * Format: date-time
             * @description The end of the invitation. Without it, the invitation has no end.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the product redeemed the invitation.
             */
            acceptedAt?: string;
            /** @description The product's id of the account. */
            reference?: string;
            /**
             * Format: date-time
             * @description The time when the mail server refused the address, or when an e-mail came back from it.
             */
            undeliverableAt?: string;
            /**
             * Format: date-time
             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
             *     new sign-up, until an operator removes the mark.
             */
            complainedAt?: string;
            /** @description The code in the person's link to recommend the list. */
            referralCode?: string;
            /** @description How many people on the list joined by the person's link; absent without a code. */
            referrals?: number;
            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
            referredBy?: string;
            /** @description Whether the referral counts for the person by whose link this person signed up. */
            referralCounts?: boolean;
            /** @description The address of the person's page, which only the person should know. */
            placeUrl?: string;
        };
        /** @description Which people a saved filter means. People fit if they fit each member that is given. */
        SavedSelection: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description Only people to whom no e-mail goes, by the reason: a permanent bounce or an operator (`undeliverable`), or
             *     a complaint.
             * @enum {string}
             */
            mark?: "undeliverable" | "complained";
            /**
             * @description Only people who have a `refusedLetter` in the list: a mail server has rejected the last e-mail of a kind
             *     that the person still needs.
             */
            refusedLetter?: boolean;
            /**
             * @description Only people of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only people who used this form.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Only people who were invited in this wave. */
            wave?: string;
            /**
             * @description Only people who have come to this step or to a later one, as in the weeks of the overview. The first step
             *     is that a mail server took the e-mail that asks to confirm.
             * @enum {string}
             */
            reached?: "taken" | "confirmed" | "invited" | "accepted";
            /**
             * @description Only people whose first sign-up was on this UTC date, or at this date-time, or later.
             * @example 2026-05-01
             */
            since?: string;
            /**
             * @description Only people whose first sign-up was before this UTC date, or this date-time.
             * @example 2026-06-01
             */
            before?: string;
        };
        /** @description Which people are meant. People fit if they fit each member that is given. */
        PeopleSelection: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description Only people to whom no e-mail goes, by the reason: a permanent bounce or an operator (`undeliverable`), or
             *     a complaint.
             * @enum {string}
             */
            mark?: "undeliverable" | "complained";
            /**
             * @description Only people who have a `refusedLetter` in the list: a mail server has rejected the last e-mail of a kind
             *     that the person still needs.
             */
            refusedLetter?: boolean;
            /**
             * @description Only people of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only people who used this form.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Only people who were invited in this wave. */
            wave?: string;
            /**
             * @description Only people who have come to this step or to a later one, as in the weeks of the overview. The first step
             *     is that a mail server took the e-mail that asks to confirm.
             * @enum {string}
             */
            reached?: "taken" | "confirmed" | "invited" | "accepted";
            /**
             * @description Only people whose first sign-up was on this UTC date, or at this date-time, or later.
             * @example 2026-05-01
             */
            since?: string;
            /**
             * @description Only people whose first sign-up was before this UTC date, or this date-time.
             * @example 2026-06-01
             */
            before?: string;
            /**
             * @description Only addresses that have this text in them. Upper and lower case are the same. The text has at least three
             *     characters between any spaces at its ends. Spaces inside divide the text into words, and an address must
             *     have every word in it, in any order; beside other words, a word can be shorter than three characters. A
             *     letter with an umlaut or an accent also finds its writings in ASCII: `ü` finds `ue` and `u`, `ß` finds `ss`,
             *     and `é` finds `e`. A letter of ASCII finds only itself.
             */
            search?: string;
        };
        /** @description A filter of the list of people that an operator has saved. */
        SavedFilter: {
            /**
             * @description The operator's name for the filter. It must not consist of spaces only. It has no `@`, because an erasure
             *     would not remove an address in it.
             */
            name: string;
            selection: components["schemas"]["SavedSelection"];
            /**
             * @description Whether the oldest or the newest first sign-ups come first; the oldest by default.
             * @enum {string}
             */
            order?: "oldest" | "newest";
        };
        /** @description The name of a saved filter. */
        FilterName: {
            /**
             * @description The operator's name for the filter. It must not consist of spaces only. It has no `@`, because an erasure
             *     would not remove an address in it.
             */
            name: string;
        };
        /** @description The saved filters of an operator. */
        FilterList: {
            filters: components["schemas"]["SavedFilter"][];
        };
        /** @description Which people to count, and where to continue a count. */
        SignupCountRequest: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description Only people to whom no e-mail goes, by the reason: a permanent bounce or an operator (`undeliverable`), or
             *     a complaint.
             * @enum {string}
             */
            mark?: "undeliverable" | "complained";
            /**
             * @description Only people who have a `refusedLetter` in the list: a mail server has rejected the last e-mail of a kind
             *     that the person still needs.
             */
            refusedLetter?: boolean;
            /**
             * @description Only people of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only people who used this form.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Only people who were invited in this wave. */
            wave?: string;
            /**
             * @description Only people who have come to this step or to a later one, as in the weeks of the overview. The first step
             *     is that a mail server took the e-mail that asks to confirm.
             * @enum {string}
             */
            reached?: "taken" | "confirmed" | "invited" | "accepted";
            /**
             * @description Only people whose first sign-up was on this UTC date, or at this date-time, or later.
             * @example 2026-05-01
             */
            since?: string;
            /**
             * @description Only people whose first sign-up was before this UTC date, or this date-time.
             * @example 2026-06-01
             */
            before?: string;
            /**
             * @description Only addresses that have this text in them. Upper and lower case are the same. The text has at least three
             *     characters between any spaces at its ends. Spaces inside divide the text into words, and an address must
             *     have every word in it, in any order; beside other words, a word can be shorter than three characters. A
             *     letter with an umlaut or an accent also finds its writings in ASCII: `ü` finds `ue` and `u`, `ß` finds `ss`,
             *     and `é` finds `e`. A letter of ASCII finds only itself.
             */
            search?: string;
            after?: components["schemas"]["PagePlace"];
        };
        /** @description A number of people. */
        SignupCount: {
            /** @description The number of people who fit; with `next`, the number so far. */
            count: number;
            next?: components["schemas"]["PagePlace"];
        };
        /** @description What to do, and with whom. */
        JobRequest: {
            /** @description The id of the job; the service makes one if it is absent. */
            job?: string;
            /**
             * @description `remind` asks people again to confirm, and `erase` erases them.
             * @enum {string}
             */
            act: "remind" | "erase";
            selection: components["schemas"]["PeopleSelection"];
            /** @description The most people on whom the job acts. */
            most: number;
        };
        /** @description An act on everybody who fits a selection. */
        Job: {
            /** @description The id of the job; the service makes one if it is absent. */
            job: string;
            /**
             * @description `remind` asks people again to confirm, and `erase` erases them.
             * @enum {string}
             */
            act: "remind" | "erase";
            selection: components["schemas"]["PeopleSelection"];
            /** @description Whether `selection` had `search`, which is removed at the end of the job because it can be an address. */
            searched?: boolean;
            /** @description The most people on whom the job acts. */
            most: number;
            /**
             * @description Whether the job still acts on people.
             * @enum {string}
             */
            state: "running" | "done" | "cancelled";
            /** @description The number of people on whom the job has acted. */
            done: number;
            /**
             * Format: date-time
             * @description When the job was started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the job was done or cancelled.
             */
            endedAt?: string;
            /** @description The operator who started the job. */
            operator?: string;
        };
        /** @description Jobs, the newest first. */
        JobList: {
            jobs: components["schemas"]["Job"][];
        };
        /** @description Which people to export, and where to continue an export. */
        ExportRequest: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description Only people to whom no e-mail goes, by the reason: a permanent bounce or an operator (`undeliverable`), or
             *     a complaint.
             * @enum {string}
             */
            mark?: "undeliverable" | "complained";
            /**
             * @description Only people who have a `refusedLetter` in the list: a mail server has rejected the last e-mail of a kind
             *     that the person still needs.
             */
            refusedLetter?: boolean;
            /**
             * @description Only people of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only people who used this form.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Only people who were invited in this wave. */
            wave?: string;
            /**
             * @description Only people who have come to this step or to a later one, as in the weeks of the overview. The first step
             *     is that a mail server took the e-mail that asks to confirm.
             * @enum {string}
             */
            reached?: "taken" | "confirmed" | "invited" | "accepted";
            /**
             * @description Only people whose first sign-up was on this UTC date, or at this date-time, or later.
             * @example 2026-05-01
             */
            since?: string;
            /**
             * @description Only people whose first sign-up was before this UTC date, or this date-time.
             * @example 2026-06-01
             */
            before?: string;
            /**
             * @description Only addresses that have this text in them. Upper and lower case are the same. The text has at least three
             *     characters between any spaces at its ends. Spaces inside divide the text into words, and an address must
             *     have every word in it, in any order; beside other words, a word can be shorter than three characters. A
             *     letter with an umlaut or an accent also finds its writings in ASCII: `ü` finds `ue` and `u`, `ß` finds `ss`,
             *     and `é` finds `e`. A letter of ASCII finds only itself.
             */
            search?: string;
            /**
             * @description Whether to add the `placeUrl` of each person; no by default. Anybody who has this link can see the person's
             *     data and erase them.
             */
            links?: boolean;
            /** @description Only sign-ups whose address follows this one in the order of the export. */
            after?: string;
            /**
             * Format: date-time
             * @description The `startedAt` of the export that this call continues.
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
            /**
             * @description Whether the statistics still count the record, because it could not be read. `repairCounters` corrects
             *     them.
             */
            countersLeft?: boolean;
        };
        /** @description Addresses are put into lower case. */
        CorrectionRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            newEmail: string;
        };
        /** @description The person whose answers to change, and the new answers. At least one answer is required. */
        AnswersRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /** @description The person's role; `null` removes it. */
            role?: string | null;
            /** @description The person's use case; `null` removes it. */
            building?: string | null;
        };
        NoteRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /** @description The note, on one line or several; `null` or an empty text removes it. */
            note: string | null;
        };
        Correction: {
            /**
             * @description `corrected`: this call corrected the address. `corrected_before`: an earlier call did.
             * @enum {string}
             */
            outcome: "corrected" | "corrected_before";
            /**
             * Format: date-time
             * @description When the address was corrected.
             */
            correctedAt: string;
            /**
             * @description The present state of the person.
             * @enum {string}
             */
            state: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description The e-mail that was put into the outbox for the new address. It is absent for a person who is asked to
             *     confirm if an e-mail limit holds the e-mail back. It is absent for an invited person if the link of the
             *     invitation is not known.
             * @enum {string}
             */
            letter?: "confirmation" | "invitation";
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
            /** @description A slug, which only a new address keeps. */
            utmSource?: string | null;
            /** @description A slug, which only a new address keeps. */
            utmMedium?: string | null;
            /** @description A slug, which only a new address keeps. */
            utmCampaign?: string | null;
            /** @description The note of operators on the person, which the person can read. */
            note?: string | null;
            /**
             * @description The state of the person; `waiting` if it is absent. A state never moves back.
             * @enum {string|null}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted" | "" | null;
            /** @description The proof of consent, which is made when the person confirms. */
            proof?: {
                /**
                 * Format: date-time
                 * @description The time of the sign-up that was confirmed.
                 */
                requestedAt: string;
                /**
                 * @description The form of that sign-up.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /**
                 * @description The language of that sign-up.
                 * @enum {string}
                 */
                lang?: "en" | "de";
                /** @description The id of the wording that the person agreed to. */
                consentText: string;
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt?: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the e-mail.
                 */
                takenAt?: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
                /** @description The e-mail's `Message-ID`. */
                messageId?: string;
                /**
                 * Format: date-time
                 * @description When the person confirmed.
                 */
                confirmedAt: string;
            };
            /** @description When the person was invited, a date-time. */
            invitedAt?: string | null;
            invitationCode?: string | null;
            wave?: string | null;
            /** @description When a mail server refused the address, a date-time. */
            undeliverableAt?: string | null;
            /** @description When the person reported an e-mail as spam, a date-time. */
            complainedAt?: string | null;
            /** @description The address of the person's page, as an export has it; it is not stored. */
            placeUrl?: string | null;
            /** @description The URL of an invitation, as `listWavePeople` gives it; it is not stored. */
            invitationUrl?: string | null;
        };
        ImportReport: {
            new: number;
            /** @description Known addresses whose record changed. */
            merged: number;
            unchanged: number;
            refused: number;
            /**
             * @description Why lines are refused, the first 10,000 reasons. A line with several faults has a reason for each of them.
             *     No reason holds an address.
             */
            refusals: components["schemas"]["Refusal"][];
        };
        Refusal: {
            /** @description The line's number in the request, from 1. */
            line: number;
            reason: string;
        };
        /**
         * @description The language of the notification.
         * @enum {string}
         */
        Language: "en" | "de";
        /**
         * @description The form that was used.
         * @enum {string}
         */
        Source: "hero" | "cta";
        /**
         * @description The people to invite, and the link of their invitations. Either `next` or `emails` is required. A filter needs
         *     `next`.
         */
        WaveRequest: {
            /** @description The id of the wave; the service makes one if it is absent. */
            wave?: string;
            /** @description The most waiting people to invite. */
            next?: number;
            /** @description The addresses of the people to invite. */
            emails?: string[];
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            /** @description Only people of this language. */
            lang?: components["schemas"]["Language"];
            /** @description Only people who used this form. */
            source?: components["schemas"]["Source"];
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Whether an e-mail goes to each of them; yes by default. */
            letters?: boolean;
            /**
             * Format: date-time
             * @description The time until which the invitations can be redeemed. It must be in the future. The e-mails name it.
             */
            expires?: string;
            /** @description Counts the people who would be invited, and changes nothing. */
            dryRun?: boolean;
            /**
             * @description The position of a dry run. A dry run with it looks at people for about a second, so that its progress can
             *     be shown. Begin with an empty object, and continue with the `next` of the answer. Without it, a dry run
             *     looks at all people in one call.
             */
            after?: {
                /** @description The last address that was read. */
                email?: string;
                read?: number;
                wouldInvite?: number;
                passedOver?: components["schemas"]["PassedOver"];
                byLang?: components["schemas"]["CountsByLanguage"];
                /** @description The addresses of the first people who would be invited. */
                first?: string[];
            };
        } & (unknown | unknown);
        InvitationCheck: {
            /** @description The code in the link of the invitation. */
            code: string;
            /**
             * Format: email
             * @description The address to which the invitation must belong. Upper and lower case are the same.
             */
            email?: string;
        };
        InvitationRedemption: {
            /** @description The code in the link of the invitation. */
            code: string;
            /**
             * Format: email
             * @description The address to which the invitation must belong. Upper and lower case are the same.
             */
            email?: string;
            /** @description The product's id of the account, without characters that only control or format a text. */
            reference: string;
        };
        InvitationRenewal: {
            /** @description The code in the link of the invitation. */
            code: string;
            /**
             * Format: email
             * @description The address to which the invitation must belong. Upper and lower case are the same.
             */
            email?: string;
            /**
             * Format: date-time
             * @description The new end of the invitation. It must be in the future.
             */
            expires: string;
        };
        Invitation: {
            /** @enum {string} */
            state: "invited" | "accepted";
            /** @description The address of the invited person. */
            email: string;
            lang: components["schemas"]["Language"];
            /** Format: date-time */
            invitedAt: string;
            /**
             * Format: date-time
             * @description The end of the invitation. Without it, the invitation has no end.
             */
            expiresAt?: string;
            /** Format: date-time */
            acceptedAt?: string;
            /** @description The product's id of the account, without characters that only control or format a text. */
            reference?: string;
        };
        /**
         * @description How many people fit the request and are not invited, by the reason: they have not confirmed, e-mails do not go
         *     to them after a bounce or a complaint, or they are invited already or have accepted. Each person is counted
         *     once.
         */
        PassedOver: {
            unconfirmed: number;
            undeliverable: number;
            complained: number;
            invited: number;
        };
        /**
         * @description How many of the people who would be invited have each language. A plan of more than 20 people does not have it if
         *     it leaves others for later waves, because it does not know the language of each person then.
         */
        CountsByLanguage: {
            en: number;
            de: number;
        };
        /** @description A person who was named and cannot be invited. */
        NotInvited: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description `unknown`: the address is not on the list. `invited`: in another wave. `undeliverable`: a mail
             *     server refused the address. `unreadable`: KV cannot read the record.
             * @enum {string}
             */
            reason: "unknown" | "unconfirmed" | "invited" | "undeliverable" | "complained" | "unreadable";
        };
        /** @description The plan of a wave. */
        WavePlan: {
            /** @description How many people would be invited. */
            wouldInvite: number;
            /**
             * @description How many further people fit the request and can be invited, by later waves; absent if the request names
             *     people.
             */
            remaining?: number;
            byLang?: components["schemas"]["CountsByLanguage"];
            /** @description The first of these people, in the order of their first sign-up. */
            people: {
                /**
                 * Format: email
                 * @description The e-mail address. Upper and lower case are the same.
                 */
                email: string;
                /** @description The id of the record. */
                id?: string;
                /** Format: date-time */
                createdAt: string;
                lang: components["schemas"]["Language"];
                source?: components["schemas"]["Source"];
                /** @description The role. */
                role?: string;
                /** @description The use case. */
                building?: string;
            }[];
            passedOver: components["schemas"]["PassedOver"];
            /** @description The named people who cannot be invited. */
            notInvited?: components["schemas"]["NotInvited"][];
            /** @description How many people the plan has looked at. */
            read: number;
            /** @description How many people there are to look at. */
            total: number;
            /** @description The `after` of the next call; absent if all people were looked at. */
            next?: {
                /** @description The last address that was read. */
                email: string;
                read: number;
                wouldInvite: number;
                passedOver: components["schemas"]["PassedOver"];
                byLang?: components["schemas"]["CountsByLanguage"];
                /** @description The addresses of the first people who would be invited. */
                first: string[];
            };
        };
        /** @description A wave of invitations. */
        Wave: {
            /** @description The id of the wave; the service makes one if it is absent. */
            wave: string;
            /**
             * @description `done`: everybody is invited; e-mails may still wait.
             * @enum {string}
             */
            state: "running" | "paused" | "done" | "cancelled";
            /**
             * Format: date-time
             * @description When the wave was started.
             */
            startedAt: string;
            /** @description The operator who started the wave; absent for a wave of a schedule, and for one of an earlier version. */
            operator?: string;
            /** @description The schedule that started the wave; absent for a wave that an operator started. */
            schedule?: string;
            /** @description The most waiting people to invite. */
            next?: number;
            /** @description How many addresses were named. */
            named?: number;
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            lang?: components["schemas"]["Language"];
            source?: components["schemas"]["Source"];
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Whether an e-mail goes to each of them; yes by default. */
            letters: boolean;
            /**
             * Format: date-time
             * @description The time until which the invitations can be redeemed. It must be in the future. The e-mails name it.
             */
            expires?: string;
            /** @description How many people the wave has invited, with those who were erased since. */
            invited: number;
            /**
             * @description For how many of these people a mail server has taken an e-mail. A person whose invitation is sent again, or
             *     goes to a corrected address, counts once.
             */
            taken: number;
            /** @description How many of their e-mails were refused for good. */
            refused: number;
            /**
             * @description How many of the refused e-mails `resumeWave` puts into the outbox again; absent if none. E-mails to people
             *     who have accepted, have left, are undeliverable or have complained are left out, as far as this happened
             *     since version 1.3.
             */
            sendableAgain?: number;
            /**
             * @description About how many e-mails the mail provider reported that they came back, or that the person reported them as
             *     spam, after a mail server had taken them; absent if none. Two e-mails to one person count twice. Addresses
             *     that an operator marked as undeliverable are left out, and so are reports that version 1.2 got.
             */
            cameBack?: number;
            /**
             * @description How many of their e-mails wait in the outbox, or in a paused wave until it is resumed; absent if none does.
             *     E-mails that are not sent any more, such as those to erased people, are left out; those of them
             *     that version 1.2 dropped count while any invitation waits.
             */
            lettersWaiting?: number;
            /** @description How many of them have accepted. */
            accepted: number;
            /**
             * @description The median of the time from the invitation to the acceptance, among the first 500 people of the wave.
             *     Only `showWave` has it, and only if one of them has accepted.
             */
            medianSeconds?: number;
            /**
             * Format: date-time
             * @description When the next of the waiting e-mails is tried again, if all of them wait for a later try because an earlier
             *     try has failed. Only `showWave` and `listWaves` have it.
             */
            nextTryAt?: string;
            /**
             * Format: date-time
             * @description When the last of the waiting e-mails is tried at the latest, if all of them wait for a later try. It is then
             *     refused for good. Absent if more than 99 invitations wait. Only `showWave` and `listWaves` have it.
             */
            lastTryAt?: string;
            /** @description How many e-mails were put into the outbox again since the wave was resumed last. */
            lettersAgain?: number;
        };
        /** @description A wave of invitations, with the named people whom it cannot invite. */
        StartedWave: {
            /** @description The id of the wave; the service makes one if it is absent. */
            wave: string;
            /**
             * @description `done`: everybody is invited; e-mails may still wait.
             * @enum {string}
             */
            state: "running" | "paused" | "done" | "cancelled";
            /**
             * Format: date-time
             * @description When the wave was started.
             */
            startedAt: string;
            /** @description The operator who started the wave; absent for a wave of a schedule, and for one of an earlier version. */
            operator?: string;
            /** @description The schedule that started the wave; absent for a wave that an operator started. */
            schedule?: string;
            /** @description The most waiting people to invite. */
            next?: number;
            /** @description How many addresses were named. */
            named?: number;
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            lang?: components["schemas"]["Language"];
            source?: components["schemas"]["Source"];
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Whether an e-mail goes to each of them; yes by default. */
            letters: boolean;
            /**
             * Format: date-time
             * @description The time until which the invitations can be redeemed. It must be in the future. The e-mails name it.
             */
            expires?: string;
            /** @description How many people the wave has invited, with those who were erased since. */
            invited: number;
            /**
             * @description For how many of these people a mail server has taken an e-mail. A person whose invitation is sent again, or
             *     goes to a corrected address, counts once.
             */
            taken: number;
            /** @description How many of their e-mails were refused for good. */
            refused: number;
            /**
             * @description How many of the refused e-mails `resumeWave` puts into the outbox again; absent if none. E-mails to people
             *     who have accepted, have left, are undeliverable or have complained are left out, as far as this happened
             *     since version 1.3.
             */
            sendableAgain?: number;
            /**
             * @description About how many e-mails the mail provider reported that they came back, or that the person reported them as
             *     spam, after a mail server had taken them; absent if none. Two e-mails to one person count twice. Addresses
             *     that an operator marked as undeliverable are left out, and so are reports that version 1.2 got.
             */
            cameBack?: number;
            /**
             * @description How many of their e-mails wait in the outbox, or in a paused wave until it is resumed; absent if none does.
             *     E-mails that are not sent any more, such as those to erased people, are left out; those of them
             *     that version 1.2 dropped count while any invitation waits.
             */
            lettersWaiting?: number;
            /** @description How many of them have accepted. */
            accepted: number;
            /**
             * @description The median of the time from the invitation to the acceptance, among the first 500 people of the wave.
             *     Only `showWave` has it, and only if one of them has accepted.
             */
            medianSeconds?: number;
            /**
             * Format: date-time
             * @description When the next of the waiting e-mails is tried again, if all of them wait for a later try because an earlier
             *     try has failed. Only `showWave` and `listWaves` have it.
             */
            nextTryAt?: string;
            /**
             * Format: date-time
             * @description When the last of the waiting e-mails is tried at the latest, if all of them wait for a later try. It is then
             *     refused for good. Absent if more than 99 invitations wait. Only `showWave` and `listWaves` have it.
             */
            lastTryAt?: string;
            /** @description How many e-mails were put into the outbox again since the wave was resumed last. */
            lettersAgain?: number;
            /** @description The named people who cannot be invited. */
            notInvited?: components["schemas"]["NotInvited"][];
        };
        /** @description Waves, the newest first. */
        WaveList: {
            waves: components["schemas"]["Wave"][];
            /** @description The `before` of the next page; absent behind the last one. */
            next?: string;
        };
        /** @description Whom each run of a schedule invites, and when the runs are due. */
        ScheduleRequest: {
            /** @description The id of the schedule. */
            id: string;
            /** @description How many of those who wait each run invites at the most. */
            next: number;
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            /** @description Only people of this language. */
            lang?: components["schemas"]["Language"];
            /** @description Only people who used this form. */
            source?: components["schemas"]["Source"];
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Whether an e-mail goes to each of them; yes by default. */
            letters?: boolean;
            /** @description How many days after their run the invitations can be redeemed; without an end if absent. */
            expiresAfterDays?: number;
            /**
             * @description Whether runs are due each day or each week.
             * @enum {string}
             */
            every: "day" | "week";
            /**
             * @description The day of the week on which runs are due; required for `week`, and for `week` only.
             * @enum {string}
             */
            weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            /** @description The time of day that clocks in the zone show. */
            at: string;
            /** @description The IANA name of a zone, such as `Europe/Berlin`. */
            zone: string;
            /**
             * Format: date
             * @description The last day on which a run may be due, in the zone; without a last day if absent.
             */
            until?: string;
            /** @description How many waves the schedule starts at the most. */
            times?: number;
            /** @description Says what the next three runs would do, and changes nothing. */
            dryRun?: boolean;
        };
        /** @description A schedule of waves. */
        Schedule: {
            /** @description The id of the schedule. */
            id: string;
            /**
             * @description `done`: it has no further run.
             * @enum {string}
             */
            state: "running" | "paused" | "done" | "cancelled";
            /**
             * Format: date-time
             * @description When the schedule was made.
             */
            createdAt: string;
            /** @description Who made it. */
            operator: string;
            /** @description The most waiting people to invite. */
            next: number;
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            lang?: components["schemas"]["Language"];
            source?: components["schemas"]["Source"];
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Whether an e-mail goes to each of them; yes by default. */
            letters: boolean;
            /** @description How many days after their run the invitations can be redeemed; without an end if absent. */
            expiresAfterDays?: number;
            /**
             * @description Whether runs are due each day or each week.
             * @enum {string}
             */
            every: "day" | "week";
            /**
             * @description The day of the week on which runs are due; required for `week`, and for `week` only.
             * @enum {string}
             */
            weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            /** @description The time of day that clocks in the zone show. */
            at: string;
            /** @description The IANA name of a zone, such as `Europe/Berlin`. */
            zone: string;
            /**
             * Format: date
             * @description The last day on which a run may be due, in the zone; without a last day if absent.
             */
            until?: string;
            /** @description How many waves the schedule starts at the most. */
            times?: number;
            /** @description How many runs have started a wave. */
            runs: number;
            /** @description The wave of the last of them; it is gone where it has invited nobody. */
            lastWave?: string;
            /** @description The next run; absent where there is none. */
            nextRun?: {
                /**
                 * Format: date
                 * @description The day on which the run is due, in the zone.
                 */
                date: string;
                /**
                 * Format: date-time
                 * @description The moment at which the run is due.
                 */
                dueAt: string;
            };
            /** @description The last runs that were left out, the newest last. */
            leftOut: {
                /**
                 * Format: date
                 * @description The day on which the run is due, in the zone.
                 */
                date: string;
                /**
                 * @description `paused`: the schedule was paused. `missed`: the service was down for 24 hours after the time.
                 *     `previous`: the wave of the run before it was neither done nor cancelled. `taken`: there was a wave
                 *     with this id. `noLetters`: the service sent no e-mails.
                 * @enum {string}
                 */
                reason: "paused" | "missed" | "previous" | "taken" | "noLetters";
                /**
                 * Format: date-time
                 * @description When the run was left out.
                 */
                at: string;
            }[];
        };
        /** @description All schedules. */
        ScheduleList: {
            schedules: components["schemas"]["Schedule"][];
        };
        /** @description What the next three runs would do if nobody joined or left; fewer where the schedule ends before. */
        SchedulePlan: {
            runs: {
                /** @description The id of the wave; the service makes one if it is absent. */
                wave: string;
                /**
                 * Format: date
                 * @description The day on which the run is due, in the zone.
                 */
                date: string;
                /**
                 * Format: date-time
                 * @description The moment at which the run is due.
                 */
                dueAt: string;
                /**
                 * Format: date-time
                 * @description Until when its invitations could be redeemed; absent where they have no end.
                 */
                expires?: string;
                /** @description How many people would be invited. */
                wouldInvite: number;
            }[];
            passedOver: components["schemas"]["PassedOver"];
        };
        /** @description A person in a wave, with the fields of the export and the URL of the invitation. */
        InvitedSignup: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
             *     operation that shows a person have it.
             */
            id?: string;
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
            /** @description The role, which a sign-up cannot carry. */
            role?: string;
            /** @description The use case, which a sign-up cannot carry. */
            building?: string;
            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
            utmSource?: string;
            /** @description The medium of the campaign, from `utm_medium`. */
            utmMedium?: string;
            /** @description The name of the campaign, from `utm_campaign`. */
            utmCampaign?: string;
            /** @description The note of operators on the person, which the person can read. Events do not have it. */
            note?: string;
            /**
             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /** @description The proof of consent, which is made when the person confirms. */
            proof?: {
                /**
                 * Format: date-time
                 * @description The time of the sign-up that was confirmed.
                 */
                requestedAt: string;
                /**
                 * @description The form of that sign-up.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /**
                 * @description The language of that sign-up.
                 * @enum {string}
                 */
                lang?: "en" | "de";
                /** @description The id of the wording that the person agreed to. */
                consentText: string;
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt?: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the e-mail.
                 */
                takenAt?: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
                /** @description The e-mail's `Message-ID`. */
                messageId?: string;
                /**
                 * Format: date-time
                 * @description When the person confirmed.
                 */
                confirmedAt: string;
            };
            /**
             * Format: date-time
             * @description When the person was invited.
             */
            invitedAt?: string;
            /** @description The code in the link of the invitation. */
            invitationCode?: string;
            /** @description The id of the wave in which the person was invited. */
            wave?: string;
            /**
             * Format: date-time
             * @description The end of the invitation. Without it, the invitation has no end.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the product redeemed the invitation.
             */
            acceptedAt?: string;
            /** @description The product's id of the account. */
            reference?: string;
            /**
             * Format: date-time
             * @description The time when the mail server refused the address, or when an e-mail came back from it.
             */
            undeliverableAt?: string;
            /**
             * Format: date-time
             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
             *     new sign-up, until an operator removes the mark.
             */
            complainedAt?: string;
            /** @description The code in the person's link to recommend the list. */
            referralCode?: string;
            /** @description How many people on the list joined by the person's link; absent without a code. */
            referrals?: number;
            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
            referredBy?: string;
            /** @description Whether the referral counts for the person by whose link this person signed up. */
            referralCounts?: boolean;
            /** @description The address of the person's page, which only the person should know. */
            placeUrl?: string;
            /**
             * @description The kind of an e-mail that the person needs and of which a mail server has refused the last one; absent if
             *     there is none.
             * @enum {string}
             */
            refusedLetter?: "confirmation" | "invitation" | "link";
            /** @description When and why the mail server has refused the e-mail of `refusedLetter`; absent without it. */
            refusal?: {
                /**
                 * Format: date-time
                 * @description The time of the refusal.
                 */
                at: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
            };
            /** @description Present while the e-mail with the invitation waits to be sent, also while the wave is paused. */
            letterWaits?: boolean;
            /** @description The link with the person's code in it. */
            invitationUrl?: string;
        };
        /** @description People of a wave. */
        WavePeople: {
            people: components["schemas"]["InvitedSignup"][];
            /** @description The `after` of the next page; absent behind the last one. */
            next?: string;
        };
        /** @description The people to list. */
        ListRequest: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /**
             * @description Only people to whom no e-mail goes, by the reason: a permanent bounce or an operator (`undeliverable`), or
             *     a complaint.
             * @enum {string}
             */
            mark?: "undeliverable" | "complained";
            /**
             * @description Only people who have a `refusedLetter` in the list: a mail server has rejected the last e-mail of a kind
             *     that the person still needs.
             */
            refusedLetter?: boolean;
            /**
             * @description Only people of this language.
             * @enum {string}
             */
            lang?: "en" | "de";
            /**
             * @description Only people who used this form.
             * @enum {string}
             */
            source?: "hero" | "cta";
            /** @description Only people with this role. */
            role?: string;
            /** @description Only people with this use case. */
            building?: string;
            /** @description Only people whom a campaign with this source brought. */
            utmSource?: string;
            /** @description Only people whom a campaign with this medium brought. */
            utmMedium?: string;
            /** @description Only people whom this campaign brought. */
            utmCampaign?: string;
            /** @description Only people by whose link at least so many people on the list have joined. */
            referrals?: number;
            /** @description Only people who were invited in this wave. */
            wave?: string;
            /**
             * @description Only people who have come to this step or to a later one, as in the weeks of the overview. The first step
             *     is that a mail server took the e-mail that asks to confirm.
             * @enum {string}
             */
            reached?: "taken" | "confirmed" | "invited" | "accepted";
            /**
             * @description Only people whose first sign-up was on this UTC date, or at this date-time, or later.
             * @example 2026-05-01
             */
            since?: string;
            /**
             * @description Only people whose first sign-up was before this UTC date, or this date-time.
             * @example 2026-06-01
             */
            before?: string;
            /**
             * @description Only addresses that have this text in them. Upper and lower case are the same. The text has at least three
             *     characters between any spaces at its ends. Spaces inside divide the text into words, and an address must
             *     have every word in it, in any order; beside other words, a word can be shorter than three characters. A
             *     letter with an umlaut or an accent also finds its writings in ASCII: `ü` finds `ue` and `u`, `ß` finds `ss`,
             *     and `é` finds `e`. A letter of ASCII finds only itself.
             */
            search?: string;
            /**
             * @description Whether the oldest or the newest first sign-ups come first; the oldest by default.
             * @enum {string}
             */
            order?: "oldest" | "newest";
            /** @description Whether to add the `placeUrl` of each person; yes by default. Without it, the list is faster. */
            withPlaceUrl?: boolean;
            /** @description The most people of the page; 50 by default. */
            limit?: number;
            after?: components["schemas"]["PagePlace"];
        };
        /** @description The position at which the page begins: the `next` of the page before it. */
        PagePlace: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /** @description How many people were found since the first page. */
            hits?: number;
        };
        /** @description A person in a list, with the fields of the export. */
        ListedSignup: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
             *     operation that shows a person have it.
             */
            id?: string;
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
            /** @description The role, which a sign-up cannot carry. */
            role?: string;
            /** @description The use case, which a sign-up cannot carry. */
            building?: string;
            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
            utmSource?: string;
            /** @description The medium of the campaign, from `utm_medium`. */
            utmMedium?: string;
            /** @description The name of the campaign, from `utm_campaign`. */
            utmCampaign?: string;
            /** @description The note of operators on the person, which the person can read. Events do not have it. */
            note?: string;
            /**
             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /** @description The proof of consent, which is made when the person confirms. */
            proof?: {
                /**
                 * Format: date-time
                 * @description The time of the sign-up that was confirmed.
                 */
                requestedAt: string;
                /**
                 * @description The form of that sign-up.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /**
                 * @description The language of that sign-up.
                 * @enum {string}
                 */
                lang?: "en" | "de";
                /** @description The id of the wording that the person agreed to. */
                consentText: string;
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt?: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the e-mail.
                 */
                takenAt?: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
                /** @description The e-mail's `Message-ID`. */
                messageId?: string;
                /**
                 * Format: date-time
                 * @description When the person confirmed.
                 */
                confirmedAt: string;
            };
            /**
             * Format: date-time
             * @description When the person was invited.
             */
            invitedAt?: string;
            /** @description The code in the link of the invitation. */
            invitationCode?: string;
            /** @description The id of the wave in which the person was invited. */
            wave?: string;
            /**
             * Format: date-time
             * @description The end of the invitation. Without it, the invitation has no end.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the product redeemed the invitation.
             */
            acceptedAt?: string;
            /** @description The product's id of the account. */
            reference?: string;
            /**
             * Format: date-time
             * @description The time when the mail server refused the address, or when an e-mail came back from it.
             */
            undeliverableAt?: string;
            /**
             * Format: date-time
             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
             *     new sign-up, until an operator removes the mark.
             */
            complainedAt?: string;
            /** @description The code in the person's link to recommend the list. */
            referralCode?: string;
            /** @description How many people on the list joined by the person's link; absent without a code. */
            referrals?: number;
            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
            referredBy?: string;
            /** @description Whether the referral counts for the person by whose link this person signed up. */
            referralCounts?: boolean;
            /** @description The address of the person's page, which only the person should know. */
            placeUrl?: string;
            /**
             * @description The kind of an e-mail that the person needs and of which a mail server has refused the last one; absent if
             *     there is none.
             * @enum {string}
             */
            refusedLetter?: "confirmation" | "invitation" | "link";
            /** @description When and why the mail server has refused the e-mail of `refusedLetter`; absent without it. */
            refusal?: {
                /**
                 * Format: date-time
                 * @description The time of the refusal.
                 */
                at: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
            };
            /** @description Present while an e-mail to the person waits in the outbox to be sent. */
            letterWaits?: boolean;
        };
        SignupPage: {
            people: components["schemas"]["ListedSignup"][];
            /**
             * @description How many people are on the whole list. It is present for a list of everybody, of one state or of one mark,
             *     without other conditions.
             */
            count?: number;
            /** @description How far a search or a filter has come since the first page. It is absent if the list leaves nobody out. */
            searched?: {
                /** @description How many people were found since the first page. */
                hits: number;
                /**
                 * Format: date-time
                 * @description The first sign-up of the last person who was looked at. Without `next`, all people were looked at.
                 */
                until?: string;
            };
            next?: components["schemas"]["PagePlace"];
        };
        Addresses: {
            emails: string[];
            /** @description Why, for the history of each person. It has no `@`, because the audit log holds no address. */
            reason?: string;
        };
        /** @description The people to ask again. Either `emails` or `all` is required. */
        ReminderRequest: {
            emails?: string[];
            /** @description Everybody who has not confirmed. */
            all?: boolean;
        };
        /** @description A named person who is not asked again. */
        NotReminded: {
            notReminded: {
                /**
                 * Format: email
                 * @description The e-mail address. Upper and lower case are the same.
                 */
                email: string;
                /**
                 * @description `confirmed`: the person has confirmed already. `asked`: the mailbox got an e-mail within the last 24
                 *     hours, or three within 30 days.
                 * @enum {string}
                 */
                reason: "unknown" | "confirmed" | "undeliverable" | "asked" | "unreadable";
            };
        };
        ReminderEnd: {
            complete: boolean;
            reminded: number;
            notReminded: number;
        };
        UndeliverableReport: {
            /** @description The addresses that are marked now, by this call or by an earlier one. */
            marked: number;
            /** @description The addresses that are not on the list, or whose records cannot be read. */
            notMarked: string[];
        };
        DeliverableReport: {
            /** @description The addresses to which e-mails go now. Some of them may not have been marked before. */
            lifted: number;
            /** @description The addresses that are not on the list and have no complaint, or whose records cannot be read. */
            notLifted: string[];
        };
        StateErasure: {
            /**
             * @description Only people in this state.
             * @enum {string}
             */
            state: "unconfirmed" | "waiting" | "invited" | "accepted";
            /** @description Only people who signed up first before this time: a UTC date such as `2026-05-01`, or a date-time. */
            before: string;
            /** @description Counts the people who would be erased, and changes nothing. */
            dryRun?: boolean;
        };
        StateErasureEnd: {
            complete: boolean;
            /** @description The number of people whom this call erased, or would erase. */
            erased: number;
        };
        /** @description A sign-up with all stored data, and the wording that its proof of consent names. */
        ShownSignup: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The id of the record, which stays when the address is corrected, and ends with an erasure. Lists and the
             *     operation that shows a person have it.
             */
            id?: string;
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
            /** @description The role, which a sign-up cannot carry. */
            role?: string;
            /** @description The use case, which a sign-up cannot carry. */
            building?: string;
            /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
            utmSource?: string;
            /** @description The medium of the campaign, from `utm_medium`. */
            utmMedium?: string;
            /** @description The name of the campaign, from `utm_campaign`. */
            utmCampaign?: string;
            /** @description The note of operators on the person, which the person can read. Events do not have it. */
            note?: string;
            /**
             * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
             * @enum {string}
             */
            state?: "unconfirmed" | "waiting" | "invited" | "accepted";
            /** @description The proof of consent, which is made when the person confirms. */
            proof?: {
                /**
                 * Format: date-time
                 * @description The time of the sign-up that was confirmed.
                 */
                requestedAt: string;
                /**
                 * @description The form of that sign-up.
                 * @enum {string}
                 */
                source?: "hero" | "cta";
                /**
                 * @description The language of that sign-up.
                 * @enum {string}
                 */
                lang?: "en" | "de";
                /** @description The id of the wording that the person agreed to. */
                consentText: string;
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt?: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the e-mail.
                 */
                takenAt?: string;
                /** @description The mail server's answer to the e-mail, without addresses. */
                answer?: string;
                /** @description The e-mail's `Message-ID`. */
                messageId?: string;
                /**
                 * Format: date-time
                 * @description When the person confirmed.
                 */
                confirmedAt: string;
            };
            /**
             * Format: date-time
             * @description When the person was invited.
             */
            invitedAt?: string;
            /** @description The code in the link of the invitation. */
            invitationCode?: string;
            /** @description The id of the wave in which the person was invited. */
            wave?: string;
            /**
             * Format: date-time
             * @description The end of the invitation. Without it, the invitation has no end.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the product redeemed the invitation.
             */
            acceptedAt?: string;
            /** @description The product's id of the account. */
            reference?: string;
            /**
             * Format: date-time
             * @description The time when the mail server refused the address, or when an e-mail came back from it.
             */
            undeliverableAt?: string;
            /**
             * Format: date-time
             * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
             *     new sign-up, until an operator removes the mark.
             */
            complainedAt?: string;
            /** @description The code in the person's link to recommend the list. */
            referralCode?: string;
            /** @description How many people on the list joined by the person's link; absent without a code. */
            referrals?: number;
            /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
            referredBy?: string;
            /** @description Whether the referral counts for the person by whose link this person signed up. */
            referralCounts?: boolean;
            /** @description The address of the person's page, which only the person should know. */
            placeUrl?: string;
            /**
             * @description For a waiting person: the place in line, which is the number of waiting people who signed up earlier, plus
             *     one. Absent if it cannot be read.
             */
            place?: number;
            /** @description The confirmation e-mails of a person who has not confirmed. */
            confirmations?: {
                /** @description How many were put into the outbox. */
                count: number;
                /**
                 * Format: date-time
                 * @description When the last one was put there.
                 */
                lastAt: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the last one; absent until then.
                 */
                takenAt?: string;
            };
            /**
             * Format: date-time
             * @description For a person who has not confirmed: the time from which `remindSignups` sends another e-mail. Absent if the
             *     address is undeliverable, if `noReminder` is present, and if the service sends no e-mails.
             */
            nextReminder?: string;
            /**
             * Format: date-time
             * @description For a person who has not confirmed: when the service erases the person without a confirmation
             *     (`UNCONFIRMED_DAYS`). Absent if the service sends no e-mails, because nobody can confirm then.
             */
            confirmBy?: string;
            /**
             * @description Why a person who has not confirmed gets no other e-mail: the mailbox complained, or the number of e-mails to
             *     the mailbox cannot be read.
             * @enum {string}
             */
            noReminder?: "complained" | "unreadable";
            /**
             * @description For an invited person: the link with the person's code in it. Absent if the service does not know the link,
             *     and for a caller who may not export the list.
             */
            invitationUrl?: string;
            /**
             * Format: date-time
             * @description For an invited person: the time from which `resendInvitation` sends the invitation again. Absent if
             *     `noInvitation` is present, and if the service sends no e-mails.
             */
            nextInvitation?: string;
            /**
             * @description Why the invitation is not sent again: it has expired; the address is undeliverable; the mailbox
             *     complained, or its data cannot be read; the e-mail still waits in the outbox; the service does not know
             *     the link (an import put the invitation on the list); the wave sends no e-mails, is paused or is cancelled.
             * @enum {string}
             */
            noInvitation?: "expired" | "undeliverable" | "complained" | "unreadable" | "in_outbox" | "no_link" | "no_letters" | "paused" | "cancelled";
            /**
             * @description The result of the last e-mail of each kind that a mail server took or refused. The confirmation e-mail
             *     moves to the proof when the person confirms. If it is here in a state other than `unconfirmed`, the person
             *     did not confirm, and an import put the person on the list.
             */
            lastLetters?: {
                confirmation?: {
                    /**
                     * Format: date-time
                     * @description When the e-mail was put into the outbox.
                     */
                    putAt: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the e-mail.
                     */
                    takenAt?: string;
                    /**
                     * Format: date-time
                     * @description The time when the e-mail was refused for good; in place of `takenAt`.
                     */
                    refusedAt?: string;
                    /** @description The mail server's answer to the e-mail, without addresses. */
                    answer?: string;
                    /** @description The e-mail's `Message-ID`. */
                    messageId?: string;
                };
                invitation?: {
                    /**
                     * Format: date-time
                     * @description When the e-mail was put into the outbox.
                     */
                    putAt: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the e-mail.
                     */
                    takenAt?: string;
                    /**
                     * Format: date-time
                     * @description The time when the e-mail was refused for good; in place of `takenAt`.
                     */
                    refusedAt?: string;
                    /** @description The mail server's answer to the e-mail, without addresses. */
                    answer?: string;
                    /** @description The e-mail's `Message-ID`. */
                    messageId?: string;
                };
                link?: {
                    /**
                     * Format: date-time
                     * @description When the e-mail was put into the outbox.
                     */
                    putAt: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the e-mail.
                     */
                    takenAt?: string;
                    /**
                     * Format: date-time
                     * @description The time when the e-mail was refused for good; in place of `takenAt`.
                     */
                    refusedAt?: string;
                    /** @description The mail server's answer to the e-mail, without addresses. */
                    answer?: string;
                    /** @description The e-mail's `Message-ID`. */
                    messageId?: string;
                };
            };
            /** @description The e-mails to the person and the events about the person that wait or were refused; absent if there are none. */
            outboxItems?: components["schemas"]["ListedItem"][];
            /** @description What became of each e-mail of the last 90 days, the newest e-mail first. */
            letterLog?: components["schemas"]["LoggedLetter"][];
            /**
             * @description The person by whose link this person signed up; absent once that person is erased. A viewer does not see
             *     the members about other people.
             */
            referrer?: {
                /**
                 * Format: email
                 * @description The e-mail address. Upper and lower case are the same.
                 */
                email: string;
                id: string;
            };
            /** @description People who have confirmed after they signed up by this person's link. */
            referredPeople?: {
                /**
                 * Format: email
                 * @description The e-mail address. Upper and lower case are the same.
                 */
                email: string;
                id: string;
                /** @description Whether the referral counts for this person. */
                counts: boolean;
            }[];
            /** @description Whether there are more such people. */
            moreReferred?: boolean;
            /**
             * Format: date-time
             * @description When the last e-mail with the link of the person's page was put into the outbox.
             */
            linkAt?: string;
            /** @description The corrections of the person's address, the oldest first. */
            corrections?: {
                /**
                 * Format: date-time
                 * @description When an operator corrected it.
                 */
                at: string;
                /** @description The keyed hash of the earlier address, base64url. */
                address: string;
                /** @description The proof of consent, which is made when the person confirms. */
                proof?: {
                    /**
                     * Format: date-time
                     * @description The time of the sign-up that was confirmed.
                     */
                    requestedAt: string;
                    /**
                     * @description The form of that sign-up.
                     * @enum {string}
                     */
                    source?: "hero" | "cta";
                    /**
                     * @description The language of that sign-up.
                     * @enum {string}
                     */
                    lang?: "en" | "de";
                    /** @description The id of the wording that the person agreed to. */
                    consentText: string;
                    /**
                     * Format: date-time
                     * @description When the e-mail was put into the outbox.
                     */
                    putAt?: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the e-mail.
                     */
                    takenAt?: string;
                    /** @description The mail server's answer to the e-mail, without addresses. */
                    answer?: string;
                    /** @description The e-mail's `Message-ID`. */
                    messageId?: string;
                    /**
                     * Format: date-time
                     * @description When the person confirmed.
                     */
                    confirmedAt: string;
                };
            }[];
            /**
             * @description The last import that created or changed the sign-up, and the times that the sign-up got from imports.
             *     Imports by versions before 1.3 left no such note.
             */
            imported?: {
                /**
                 * Format: date-time
                 * @description The time of the import.
                 */
                at: string;
                /** @description The name of the operator who imported. Imports by versions before 1.3 did not note it. */
                operator?: string;
                /**
                 * Format: date-time
                 * @description The time of the first sign-up, if it came from an import.
                 */
                createdAt?: string;
                /**
                 * Format: date-time
                 * @description The time of the latest consent that came from an import. If the person has signed up again since then,
                 *     the `consentedAt` of the sign-up is later.
                 */
                consentedAt?: string;
            };
            /**
             * @description What operators did about this person since the first sign-up, the newest first. After a correction,
             *     entries about the old address are left out, because somebody else may have the address later. Of the calls
             *     that named several addresses, it has those that marked addresses as undeliverable or lifted the mark. It
             *     also has the start of the wave that invited the person.
             */
            history: components["schemas"]["AuditEntry"][];
            /** @description The wording of the consent, as it was displayed. */
            wording?: {
                /** @enum {string} */
                lang: "en" | "de";
                text: string;
            };
        };
        Overview: {
            total: number;
            /** @description The people by state. */
            states: {
                unconfirmed: number;
                waiting: number;
                invited: number;
                accepted: number;
            };
            /** @description How many invitations were accepted, and how soon. */
            funnel: {
                /** @description People who were invited, among them those who have accepted. */
                invited: number;
                accepted: number;
                /** @description The median of the time from the invitation to the acceptance, to 5 %; absent if nobody has accepted. */
                medianSeconds?: number;
            };
            /** @description Sign-ups of today and the six UTC days before it. */
            last7Days: number;
            /** @description Sign-ups of today and the 29 UTC days before it. */
            last30Days: number;
            /** @description Counts by the value; people without a value are in none. */
            byLang: {
                [key: string]: number;
            };
            /** @description Counts by the value; people without a value are in none. */
            byRole: {
                [key: string]: number;
            };
            /** @description Counts by the value; people without a value are in none. */
            byBuilding: {
                [key: string]: number;
            };
            /** @description Counts by the value; people without a value are in none. */
            bySource: {
                [key: string]: number;
            };
            /**
             * @description The confirmed people by the campaign that brought them. At most 200 values of each part of a campaign are
             *     counted by their names, and all further values together as `other`. Services before 1.3.0 do not send it.
             */
            campaigns?: {
                /** @description Counts by the value; people without a value are in none. */
                utmSource: {
                    [key: string]: number;
                };
                /** @description Counts by the value; people without a value are in none. */
                utmMedium: {
                    [key: string]: number;
                };
                /** @description Counts by the value; people without a value are in none. */
                utmCampaign: {
                    [key: string]: number;
                };
            };
            /** @description The sign-ups of each UTC day, with the present day last. Only the last 371 days have their answers. */
            days: {
                /** Format: date */
                day: string;
                added: number;
                /** @description Counts by the value; people without a value are in none. */
                byLang?: {
                    [key: string]: number;
                };
                /** @description Counts by the value; people without a value are in none. */
                bySource?: {
                    [key: string]: number;
                };
            }[];
            /**
             * @description The people on the list who signed up by the link of another person and whose referral counts. Services
             *     before 1.3.0 do not send it.
             */
            referrals?: {
                /** @description Those of them who signed up today or on one of the six UTC days before. */
                lastWeek: number;
                total: number;
                /** @description The people with the most referrals, beginning with the highest number. */
                top: {
                    /**
                     * Format: email
                     * @description The e-mail address. Upper and lower case are the same.
                     */
                    email: string;
                    id: string;
                    /** @description How many people on the list joined by the link of this person. */
                    referrals: number;
                }[];
            };
            /**
             * @description The people who signed up in each of the last 13 weeks, with the number who came to each step by now. Weeks
             *     begin on a UTC Monday, and the present week is last.
             */
            weeks: {
                /** Format: date */
                week: string;
                signedUp: number;
                /** @description A mail server took the e-mail that asks them to confirm. */
                taken: number;
                confirmed: number;
                /** @description The number of people who were invited, with those who have accepted. */
                invited: number;
                accepted: number;
            }[];
            outbox: {
                /** @description E-mails and events that wait for their first or next try. */
                due: number;
                /**
                 * Format: date-time
                 * @description The time when the first of them is or was due; absent if none waits.
                 */
                oldestDue?: string;
                /**
                 * @description E-mails that are held back, because a client network caused more than 60 e-mails to unconfirmed
                 *     addresses in an hour. They wait for later hours.
                 */
                held: number;
                /** @description E-mails and events that are not tried any more. */
                refused: number;
                /** @description E-mails that were sent on this UTC day. */
                sentToday: number;
                /**
                 * @description Present while all e-mails are paused, because the mail server could not be used for any e-mail, or
                 *     refused three e-mails in a row for good.
                 */
                pause?: {
                    /**
                     * Format: date-time
                     * @description When the pause began. Pauses that follow one another count as one pause.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description The next try: the end of the wait, or the moment after it at which the first e-mail is due.
                     */
                    until: string;
                    reason: string;
                    /** @description Present if the next try is due or under way. */
                    testing?: boolean;
                    /**
                     * Format: date-time
                     * @description When the last test of the pause failed, which began the present wait; absent while `testing`, and
                     *     before the first test.
                     */
                    testedAt?: string;
                };
            };
            /**
             * @description The days, of today and the UTC day before it, on which more than 5 e-mails or more than 5 % of them were
             *     refused, or the same share of tries to deliver events failed; absent if there is no such day.
             */
            refusals?: {
                /** @enum {string} */
                about: "letters" | "events";
                /** Format: date */
                day: string;
                /** @description E-mails that ended unsent, or tries of events that got another answer than 2xx. */
                refused: number;
                /** @description These, and the e-mails and events that were sent. */
                tried: number;
            }[];
            /**
             * @description The e-mails that came back as undeliverable (bounced) or were reported as spam (complained) by a report of
             *     a mail provider that came on one of the last seven UTC days, by the kind of report; absent where there is
             *     none. Services before 1.3.0 do not send it.
             */
            reports?: {
                /** @enum {string} */
                kind: "bounced" | "complained";
                /**
                 * Format: date
                 * @description The first of these days.
                 */
                since: string;
                count: number;
            }[];
            /**
             * @description The runs of schedules that were left out in the last seven days, by schedule and reason; absent where there
             *     is none.
             */
            leftOutRuns?: {
                /** @description The id of the schedule. */
                schedule: string;
                /**
                 * @description `paused`: the schedule was paused. `missed`: the service was down for 24 hours after the time.
                 *     `previous`: the wave of the run before it was neither done nor cancelled. `taken`: there was a wave
                 *     with this id. `noLetters`: the service sent no e-mails.
                 * @enum {string}
                 */
                reason: "paused" | "missed" | "previous" | "taken" | "noLetters";
                dates: string[];
            }[];
            /** @description The version of the program. Services before 1.2.0 do not send it. */
            version?: string;
            /** @description Whether the service sends e-mails. */
            sendsLetters: boolean;
            /** @description The sender of e-mails; absent if the service sends none. */
            sender?: {
                /** @description The address of `MAIL_FROM`. */
                from: string;
                /** @description The sender of the envelope, to which bounces go; absent if a mail API sets it. */
                envelope?: string;
            };
            /** @description The times of the last regular work. Work that was never done has no member. */
            lastDone: {
                /**
                 * Format: date-time
                 * @description The last verification of the counters that found no difference.
                 */
                verify?: string;
                /**
                 * Format: date-time
                 * @description The last backup that was sent, or written by the service itself, to its end.
                 */
                backup?: string;
                /**
                 * Format: date-time
                 * @description The last verification of the counters that found a difference.
                 */
                difference?: string;
                /**
                 * Format: date-time
                 * @description The last repair of the counters.
                 */
                repair?: string;
                /**
                 * Format: date-time
                 * @description When the last import began that added or changed people. An import counts people on the days on which
                 *     they first signed up, so it changes the numbers of earlier days. Imports before version 1.3 are known
                 *     only from the audit log of a restored backup.
                 */
                import?: string;
            };
            /** @description The backups that the service makes by itself; absent if `BACKUP_URL` is not set. */
            backups?: {
                /** @description The time of the day, in UTC, at which one is made. */
                at: string;
                /** @description How many backups are kept. */
                keep: number;
                /** @description The last good backup; absent if there was none. */
                last?: {
                    /**
                     * Format: date-time
                     * @description When it was begun.
                     */
                    at: string;
                    name: string;
                    bytes: number;
                };
                /** @description The last try, if it failed. The service tries again an hour later. */
                failed?: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                };
            };
            /**
             * @description What is to do before people use the service: settings and texts that are placeholders or are only for
             *     trying out. They do not count while the public address is `http:`. There are also problems of a running
             *     service: a former primary among the database servers (`store`), or processes of one store with different
             *     public addresses (`address`).
             */
            warnings: {
                /** @enum {string} */
                about: "name" | "promise" | "picture" | "logo" | "contact" | "texts" | "letters" | "proxy" | "backups" | "store" | "address";
                /** @description What is wrong, and what to do. */
                message: string;
            }[];
            /** Format: date-time */
            generatedAt: string;
        };
        LetterLogRequest: {
            /**
             * @description Lists only the e-mails of this kind.
             * @enum {string}
             */
            letter?: "confirmation" | "invitation" | "link";
            /**
             * @description Lists only the e-mails in this state. `rejected` is for all e-mails that the mail server refused: `refused`
             *     and `retried` together. `reported` is for all e-mails about which the mail provider reported: `bounced` and
             *     `complained` together.
             * @enum {string}
             */
            state?: "taken" | "refused" | "retried" | "bounced" | "complained" | "rejected" | "reported";
            /** @description Lists only the invitations of this wave: those to the people whom this wave was the last one to invite. */
            wave?: string;
            /** @description A UTC date, or a date-time. Lists only the e-mails that were put into the outbox then or later. */
            since?: string;
            /** @description The most e-mails of the page; 100 by default. */
            limit?: number;
            /**
             * @description Lists only the e-mails that were put into the outbox before this UTC date or date-time; or, for the next page,
             *     only those behind the page before it, whose `next` this is.
             */
            before?: string;
        };
        /** @description What became of an e-mail. */
        LoggedLetter: {
            /** @enum {string} */
            letter: "confirmation" | "invitation" | "link";
            /**
             * @description `taken` or `refused` by the mail server; `retried` if the mail server refused the e-mail, but something
             *     happened since that makes this refusal out of date, such as a new try of the e-mail; `bounced` or
             *     `complained` if the mail provider reported that the e-mail came back, or that the person reported it as
             *     spam.
             * @enum {string}
             */
            state: "taken" | "refused" | "retried" | "bounced" | "complained";
            /**
             * Format: date-time
             * @description When the e-mail was put into the outbox.
             */
            putAt: string;
            /**
             * Format: date-time
             * @description When the mail server took the e-mail.
             */
            takenAt?: string;
            /**
             * Format: date-time
             * @description The time when the e-mail was refused; in place of `takenAt`.
             */
            refusedAt?: string;
            /**
             * Format: date-time
             * @description When a `retried` e-mail, or a later one of its kind, is due again; absent if none waits, and for all tries
             *     but the newest.
             */
            nextTryAt?: string;
            /**
             * @description Present if no new try follows a `retried` e-mail: no later e-mail of its kind to the same address waits or
             *     has had an outcome. The e-mail was not needed any more, for example, or the address was corrected.
             */
            noNewTry?: boolean;
            /**
             * @description Present if the e-mail was for an address before the last correction. `listLetters` has it only for e-mails that
             *     were refused.
             */
            toFormerAddress?: boolean;
            /** @description The mail server's answer to the e-mail, without addresses. */
            answer?: string;
            /** @description The e-mail's `Message-ID`. */
            messageId?: string;
            /** @description The report of the mail provider about the e-mail. */
            report?: {
                /** @enum {string} */
                kind: "bounced" | "complained";
                /**
                 * Format: date-time
                 * @description When the e-mail came back, or was reported.
                 */
                at: string;
                /** @description The provider's reason, without addresses. */
                reason?: string;
            };
        };
        /** @description What became of an e-mail, with the person to whom it went. */
        ListedLetter: {
            /** @enum {string} */
            letter: "confirmation" | "invitation" | "link";
            /**
             * @description `taken` or `refused` by the mail server; `retried` if the mail server refused the e-mail, but something
             *     happened since that makes this refusal out of date, such as a new try of the e-mail; `bounced` or
             *     `complained` if the mail provider reported that the e-mail came back, or that the person reported it as
             *     spam.
             * @enum {string}
             */
            state: "taken" | "refused" | "retried" | "bounced" | "complained";
            /**
             * Format: date-time
             * @description When the e-mail was put into the outbox.
             */
            putAt: string;
            /**
             * Format: date-time
             * @description When the mail server took the e-mail.
             */
            takenAt?: string;
            /**
             * Format: date-time
             * @description The time when the e-mail was refused; in place of `takenAt`.
             */
            refusedAt?: string;
            /**
             * Format: date-time
             * @description When a `retried` e-mail, or a later one of its kind, is due again; absent if none waits, and for all tries
             *     but the newest.
             */
            nextTryAt?: string;
            /**
             * @description Present if no new try follows a `retried` e-mail: no later e-mail of its kind to the same address waits or
             *     has had an outcome. The e-mail was not needed any more, for example, or the address was corrected.
             */
            noNewTry?: boolean;
            /**
             * @description Present if the e-mail was for an address before the last correction. `listLetters` has it only for e-mails that
             *     were refused.
             */
            toFormerAddress?: boolean;
            /** @description The mail server's answer to the e-mail, without addresses. */
            answer?: string;
            /** @description The e-mail's `Message-ID`. */
            messageId?: string;
            /** @description The report of the mail provider about the e-mail. */
            report?: {
                /** @enum {string} */
                kind: "bounced" | "complained";
                /**
                 * Format: date-time
                 * @description When the e-mail came back, or was reported.
                 */
                at: string;
                /** @description The provider's reason, without addresses. */
                reason?: string;
            };
            /** @description The id of the person's record. */
            id: string;
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email?: string;
        };
        LetterPage: {
            letters: components["schemas"]["ListedLetter"][];
            /** @description Where the next page begins; absent where nothing is behind the e-mails. */
            next?: string;
        };
        OutboxRequest: {
            /** @description Whether to list refused e-mails and events, and not those that wait, which are listed by default. */
            refused?: boolean;
            /**
             * @description Lists only the invitations of this wave. A call then reads 1,500 e-mails and events at most, so a page may
             *     have fewer e-mails than the limit, or even none, although there is `next`.
             */
            wave?: string;
            /** @description The most items of the page; 100 by default. */
            limit?: number;
            after?: components["schemas"]["OutboxPlace"];
        };
        /** @description The position at which the page begins: the `next` of the page before it. */
        OutboxPlace: {
            /**
             * Format: date-time
             * @description When the last item of that page is due, or was refused.
             */
            at: string;
            id: string;
        };
        OutboxList: {
            items: components["schemas"]["ListedItem"][];
            /** @description Where the next page begins; absent where nothing is behind the items. */
            next?: components["schemas"]["OutboxPlace"];
        };
        /** @description An e-mail or an event of the outbox. */
        ListedItem: {
            id: string;
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /** @description The id of the person's record. It is absent if the person has left the list. */
            recordId?: string;
            /** @description The kind of the e-mail, such as `confirmation`, or the type of the event, such as `signup.joined`. */
            message: string;
            /**
             * Format: date-time
             * @description When it was put into the outbox.
             */
            putAt: string;
            /**
             * Format: date-time
             * @description When it is due.
             */
            dueAt?: string;
            /**
             * Format: date-time
             * @description When it was refused, in place of `dueAt`.
             */
            refusedAt?: string;
            /** @description The number of tries that have begun. */
            tries: number;
            /** @description Why the last try failed. */
            reason?: string;
            /**
             * @description Present if the item is refused and its person gets no e-mails, because the address is undeliverable or the
             *     mailbox has complained. Only `listOutbox` has it.
             */
            noLetters?: boolean;
            /**
             * @description Present if the item is a refused e-mail that is not sent any more, even if it is tried again. `confirmed` and
             *     `accepted`: the person has done what the e-mail asks for. `complained`: the mailbox has reported an e-mail
             *     as spam. `outdated`: a later e-mail, or another sign-up of the address, has replaced the e-mail. Only
             *     `listOutbox` has it.
             * @enum {string}
             */
            notSent?: "confirmed" | "accepted" | "complained" | "outdated";
        };
        /** @description Which e-mails and events are tried again. One of the members is given. */
        RetryRequest: {
            ids?: string[];
            /** @description All that were refused. */
            all?: boolean;
            /** @description All that were refused, except e-mails to people who are marked as undeliverable. */
            unmarked?: boolean;
            /** @description All whose last try failed and whose next try is later than in five minutes. */
            waiting?: boolean;
            /** @description The one e-mail that tests whether a pause of all e-mails is over. */
            pause?: boolean;
        };
        RetryEnd: {
            complete: boolean;
            retried: number;
            /** @description The number of ids that are unknown, or whose e-mails and events do not change. */
            left: number;
        };
        LetterTestRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The language of the e-mail; `en` by default.
             * @enum {string}
             */
            lang?: "en" | "de";
        };
        WebhookTest: {
            /** @description Whether the receiver answered with 2xx. */
            delivered: boolean;
            /**
             * Format: date-time
             * @description When the try began.
             */
            at: string;
            /** @description How long the answer took, in milliseconds. */
            ms: number;
            /** @description The status of the answer; absent where none came. */
            status?: number;
            /** @description The beginning of the answer, without addresses, or why there was no answer. */
            answer: string;
            /** @description Why the event was not taken. */
            reason?: string;
        };
        LetterTest: {
            /** @description Whether the mail server has taken the e-mail. */
            delivered: boolean;
            /**
             * Format: date-time
             * @description When the try began.
             */
            at: string;
            /** @description How long it took, in milliseconds. */
            ms: number;
            /** @description The mail server's answer, without addresses, or why there was no answer. */
            answer: string;
            /** @description The `Message-ID` of the e-mail. */
            messageId: string;
        };
        InvitationTestRequest: {
            /**
             * Format: email
             * @description The e-mail address. Upper and lower case are the same.
             */
            email: string;
            /**
             * @description The link of the invitations: an `https:` URL, or `http:` for a loopback host. `{code}` in it becomes the
             *     person's invitation code.
             */
            link: string;
            /**
             * Format: date-time
             * @description The time until which the invitations can be redeemed. It must be in the future. The e-mails name it.
             */
            expires?: string;
            /** @description The languages of the e-mails, one e-mail for each; `en` by default. */
            langs?: components["schemas"]["Language"][];
        };
        InvitationTest: {
            letters: components["schemas"]["TestedInvitation"][];
        };
        /** @description The result of one e-mail. */
        TestedInvitation: {
            lang: components["schemas"]["Language"];
            /** @description Whether the mail server has taken the e-mail. */
            delivered: boolean;
            /**
             * Format: date-time
             * @description When the try began.
             */
            at: string;
            /** @description How long it took, in milliseconds. */
            ms: number;
            /** @description The mail server's answer, without addresses, or why there was no answer. */
            answer: string;
            /** @description The `Message-ID` of the e-mail. */
            messageId: string;
        };
        /** @description An event, and its last try. */
        ListedDelivery: {
            /** @description Whether the receiver answered with 2xx. */
            delivered: boolean;
            /**
             * Format: date-time
             * @description When the try began.
             */
            at: string;
            /** @description How long the answer took, in milliseconds. */
            ms: number;
            /** @description The status of the answer; absent where none came. */
            status?: number;
            /** @description The beginning of the answer, without addresses, or why there was no answer. */
            answer: string;
            /** @description Why the event was not taken. */
            reason?: string;
            id: string;
            /** @description Its type, such as `signup.joined`. */
            event: string;
            /**
             * Format: email
             * @description The address that the event is about. It is absent if an address in the event has left the list; then the
             *     event cannot be sent again.
             */
            email?: string;
            /** @description The id of the person's record. It is absent if the person has left the list. */
            recordId?: string;
            /** @description The number of tries that have begun. */
            tries: number;
            /**
             * Format: date-time
             * @description The time of the next try; absent if the receiver accepted the event, or if it is not tried any more.
             */
            nextAt?: string;
        };
        DeliveryList: {
            deliveries: components["schemas"]["ListedDelivery"][];
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
            /**
             * @description Whether the changed records can explain all differences, and the lists have no faults. If the recount is
             *     exact, it means that there are no differences.
             */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description The records that cannot be read; they are not counted. */
            unreadable: components["schemas"]["UnreadableRecord"][];
            /**
             * @description The faults of the lists: of people by state, of people who expire, and of waves. The lists are stored
             *     beside the records.
             */
            lists: {
                /** @description People who lack an entry in a list or their state, or have a wrong entry. */
                missing: number;
                /** @description Entries that belong to no record. */
                surplus: number;
            };
        };
        RepairReport: {
            complete: boolean;
            /** @description The number of records at the beginning of the recount. */
            records: number;
            /** @description The number of records that were added, changed or erased before the recount reached them. */
            changed: number;
            /** @description Whether the recount is exact. */
            exact: boolean;
            /**
             * @description Whether the changed records can explain all differences, and the lists have no faults. If the recount is
             *     exact, it means that there are no differences.
             */
            agrees: boolean;
            differences: components["schemas"]["Difference"][];
            /** @description The records that cannot be read; they are not counted. */
            unreadable: components["schemas"]["UnreadableRecord"][];
            /**
             * @description The faults of the lists: of people by state, of people who expire, and of waves. The lists are stored
             *     beside the records.
             */
            lists: {
                /** @description People who lack an entry in a list or their state, or have a wrong entry. */
                missing: number;
                /** @description Entries that belong to no record. */
                surplus: number;
            };
            /** @description Whether the differences, if there were any, were corrected. */
            repaired: boolean;
            /** @description The number of recounts. */
            recounts: number;
        };
        /** @description A line of a backup. The lines are in this order, with one first line and one last line. */
        BackupLine: components["schemas"]["BackupHeader"] | components["schemas"]["BackupNamedPerson"] | components["schemas"]["BackupSignUp"] | components["schemas"]["BackupClient"] | components["schemas"]["BackupErasure"] | components["schemas"]["BackupBrake"] | components["schemas"]["BackupErasureKey"] | components["schemas"]["BackupAuditEntry"] | components["schemas"]["BackupConsentText"] | components["schemas"]["BackupPlaceKey"] | components["schemas"]["BackupWave"] | components["schemas"]["BackupSchedule"] | components["schemas"]["BackupLetter"] | components["schemas"]["BackupUnreadable"] | components["schemas"]["BackupCounter"] | components["schemas"]["BackupEnd"];
        BackupHeader: {
            /** @constant */
            kind: "header";
            /** @constant */
            format: "waitlist-backup";
            /**
             * @description This version of the service makes version 4. Version 3 lacks schedules and the log of e-mails. Version 2
             *     also lacks named people, e-mail limits and waves.
             * @enum {integer}
             */
            version: 2 | 3 | 4;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @description A person whom a wave shall invite by address. This line is restored after the sign-ups, and only if the person
         *     is on the list and not invited yet.
         */
        BackupNamedPerson: {
            /** @constant */
            kind: "named";
            email: string;
            /** @description The id of the wave; the service makes one if it is absent. */
            wave: string;
        };
        BackupSignUp: {
            /** @constant */
            kind: "sign_up";
            /** @description The stored record. It may have members that are not listed here. */
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
                /** @description The role, which a sign-up cannot carry. */
                role?: string;
                /** @description The use case, which a sign-up cannot carry. */
                building?: string;
                /** @description The source of the campaign that brought the person, from `utm_source` of the first sign-up. */
                utmSource?: string;
                /** @description The medium of the campaign, from `utm_medium`. */
                utmMedium?: string;
                /** @description The name of the campaign, from `utm_campaign`. */
                utmCampaign?: string;
                /** @description The note of operators on the person, which the person can read. Events do not have it. */
                note?: string;
                /**
                 * @description The state of the person: has not confirmed yet, waits for an invitation, is invited, or has accepted.
                 * @enum {string}
                 */
                state?: "unconfirmed" | "waiting" | "invited" | "accepted";
                /** @description The proof of consent, which is made when the person confirms. */
                proof?: {
                    /**
                     * Format: date-time
                     * @description The time of the sign-up that was confirmed.
                     */
                    requestedAt: string;
                    /**
                     * @description The form of that sign-up.
                     * @enum {string}
                     */
                    source?: "hero" | "cta";
                    /**
                     * @description The language of that sign-up.
                     * @enum {string}
                     */
                    lang?: "en" | "de";
                    /** @description The id of the wording that the person agreed to. */
                    consentText: string;
                    /**
                     * Format: date-time
                     * @description When the e-mail was put into the outbox.
                     */
                    putAt?: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the e-mail.
                     */
                    takenAt?: string;
                    /** @description The mail server's answer to the e-mail, without addresses. */
                    answer?: string;
                    /** @description The e-mail's `Message-ID`. */
                    messageId?: string;
                    /**
                     * Format: date-time
                     * @description When the person confirmed.
                     */
                    confirmedAt: string;
                };
                /**
                 * Format: date-time
                 * @description When the person was invited.
                 */
                invitedAt?: string;
                /** @description The code in the link of the invitation. */
                invitationCode?: string;
                /** @description The id of the wave in which the person was invited. */
                wave?: string;
                /**
                 * Format: date-time
                 * @description The end of the invitation. Without it, the invitation has no end.
                 */
                expiresAt?: string;
                /**
                 * Format: date-time
                 * @description When the product redeemed the invitation.
                 */
                acceptedAt?: string;
                /** @description The product's id of the account. */
                reference?: string;
                /**
                 * Format: date-time
                 * @description The time when the mail server refused the address, or when an e-mail came back from it.
                 */
                undeliverableAt?: string;
                /**
                 * Format: date-time
                 * @description The time when the person reported an e-mail as spam. No e-mail goes to the mailbox any more, even after a
                 *     new sign-up, until an operator removes the mark.
                 */
                complainedAt?: string;
                /** @description The code in the person's link to recommend the list. */
                referralCode?: string;
                /** @description How many people on the list joined by the person's link; absent without a code. */
                referrals?: number;
                /** @description The code of the person by whose link this person signed up; empty once that person is erased. */
                referredBy?: string;
                /** @description Whether the referral counts for the person by whose link this person signed up. */
                referralCounts?: boolean;
                /** @description The address of the person's page, which only the person should know. */
                placeUrl?: string;
                /** @description The confirmation e-mails of a person who has not confirmed. */
                confirmations?: {
                    /** @description How many were put into the outbox. */
                    count: number;
                    /**
                     * Format: date-time
                     * @description When the last one was put there.
                     */
                    lastAt: string;
                    /**
                     * Format: date-time
                     * @description When the mail server took the last one; absent until then.
                     */
                    takenAt?: string;
                };
                /**
                 * @description The result of the last e-mail of each kind that a mail server took or refused. The confirmation e-mail
                 *     moves to the proof when the person confirms. If it is here in a state other than `unconfirmed`, the person
                 *     did not confirm, and an import put the person on the list.
                 */
                lastLetters?: {
                    confirmation?: {
                        /**
                         * Format: date-time
                         * @description When the e-mail was put into the outbox.
                         */
                        putAt: string;
                        /**
                         * Format: date-time
                         * @description When the mail server took the e-mail.
                         */
                        takenAt?: string;
                        /**
                         * Format: date-time
                         * @description The time when the e-mail was refused for good; in place of `takenAt`.
                         */
                        refusedAt?: string;
                        /** @description The mail server's answer to the e-mail, without addresses. */
                        answer?: string;
                        /** @description The e-mail's `Message-ID`. */
                        messageId?: string;
                    };
                    invitation?: {
                        /**
                         * Format: date-time
                         * @description When the e-mail was put into the outbox.
                         */
                        putAt: string;
                        /**
                         * Format: date-time
                         * @description When the mail server took the e-mail.
                         */
                        takenAt?: string;
                        /**
                         * Format: date-time
                         * @description The time when the e-mail was refused for good; in place of `takenAt`.
                         */
                        refusedAt?: string;
                        /** @description The mail server's answer to the e-mail, without addresses. */
                        answer?: string;
                        /** @description The e-mail's `Message-ID`. */
                        messageId?: string;
                    };
                    link?: {
                        /**
                         * Format: date-time
                         * @description When the e-mail was put into the outbox.
                         */
                        putAt: string;
                        /**
                         * Format: date-time
                         * @description When the mail server took the e-mail.
                         */
                        takenAt?: string;
                        /**
                         * Format: date-time
                         * @description The time when the e-mail was refused for good; in place of `takenAt`.
                         */
                        refusedAt?: string;
                        /** @description The mail server's answer to the e-mail, without addresses. */
                        answer?: string;
                        /** @description The e-mail's `Message-ID`. */
                        messageId?: string;
                    };
                };
                /**
                 * Format: date-time
                 * @description When the last e-mail with the link of the person's page was put into the outbox.
                 */
                linkAt?: string;
                /** @description The corrections of the person's address, the oldest first. */
                corrections?: {
                    /**
                     * Format: date-time
                     * @description When an operator corrected it.
                     */
                    at: string;
                    /** @description The keyed hash of the earlier address, base64url. */
                    address: string;
                    /** @description The proof of consent, which is made when the person confirms. */
                    proof?: {
                        /**
                         * Format: date-time
                         * @description The time of the sign-up that was confirmed.
                         */
                        requestedAt: string;
                        /**
                         * @description The form of that sign-up.
                         * @enum {string}
                         */
                        source?: "hero" | "cta";
                        /**
                         * @description The language of that sign-up.
                         * @enum {string}
                         */
                        lang?: "en" | "de";
                        /** @description The id of the wording that the person agreed to. */
                        consentText: string;
                        /**
                         * Format: date-time
                         * @description When the e-mail was put into the outbox.
                         */
                        putAt?: string;
                        /**
                         * Format: date-time
                         * @description When the mail server took the e-mail.
                         */
                        takenAt?: string;
                        /** @description The mail server's answer to the e-mail, without addresses. */
                        answer?: string;
                        /** @description The e-mail's `Message-ID`. */
                        messageId?: string;
                        /**
                         * Format: date-time
                         * @description When the person confirmed.
                         */
                        confirmedAt: string;
                    };
                }[];
                /**
                 * @description The last import that created or changed the sign-up, and the times that the sign-up got from imports.
                 *     Imports by versions before 1.3 left no such note.
                 */
                imported?: {
                    /**
                     * Format: date-time
                     * @description The time of the import.
                     */
                    at: string;
                    /** @description The name of the operator who imported. Imports by versions before 1.3 did not note it. */
                    operator?: string;
                    /**
                     * Format: date-time
                     * @description The time of the first sign-up, if it came from an import.
                     */
                    createdAt?: string;
                    /**
                     * Format: date-time
                     * @description The time of the latest consent that came from an import. If the person has signed up again since then,
                     *     the `consentedAt` of the sign-up is later.
                     */
                    consentedAt?: string;
                };
                /**
                 * Format: date-time
                 * @description When a mail server last took an e-mail that invites the person.
                 */
                invitationTakenAt?: string;
            };
        };
        BackupClient: {
            /** @constant */
            kind: "client";
            /** @description The stored client. It may have members that are not listed here. */
            client: {
                /** @description The OAuth client_id. */
                clientId: string;
                /** @description The operator's name for the client. It must not consist of spaces only. */
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
            /** @description The key of the erasure marks, base64url. */
            key: string;
        };
        BackupErasure: {
            /** @constant */
            kind: "erased";
            /** @description A keyed hash of the address, base64url. */
            mark: string;
            /** Format: date-time */
            erasedAt: string;
            /** @description The confirmation e-mails of a person who has not confirmed. */
            confirmations?: {
                /** @description How many were put into the outbox. */
                count: number;
                /**
                 * Format: date-time
                 * @description When the last one was put there.
                 */
                lastAt: string;
                /**
                 * Format: date-time
                 * @description When the mail server took the last one; absent until then.
                 */
                takenAt?: string;
            };
        };
        /** @description The e-mail limit of a mailbox: the e-mails that it got, and whether it complained of an e-mail. */
        BackupBrake: {
            /** @constant */
            kind: "brake";
            /** @description A keyed hash of the mailbox, base64url. */
            mailbox: string;
            /** @description The times when e-mails were put into the outbox while the address was unconfirmed. */
            letters: string[];
            /**
             * Format: date-time
             * @description When the last e-mail with the link of the person's page was put into the outbox.
             */
            linkAt?: string;
            /** Format: date-time */
            complainedAt?: string;
            /**
             * Format: date-time
             * @description The time when an operator last removed a complaint.
             */
            liftedAt?: string;
        };
        /** @description A wave of invitations. A restore pauses one that was running. */
        BackupWave: {
            /** @constant */
            kind: "wave";
            /** @description The id of the wave; the service makes one if it is absent. */
            id: string;
            /** @description The stored wave. It may have members that are not listed here. */
            wave: {
                parameters: {
                    link: string;
                };
                salt: string;
                named?: number;
                invited: number;
                /** Format: date-time */
                startedAt: string;
                /** @enum {string} */
                state?: "running" | "paused" | "done" | "cancelled";
            };
            counts: {
                taken: number;
                refused: number;
                accepted: number;
                /**
                 * @description How many e-mails are not sent any more although no mail server has taken or refused them. Backups of
                 *     version 1.2 do not have the number.
                 */
                dropped?: number;
                /**
                 * @description How many e-mails came back, or were reported as spam, after a mail server had taken them. Backups of
                 *     version 1.2 do not have the number.
                 */
                cameBack?: number;
                /**
                 * @description How many refused e-mails the wave does not send again when it is resumed. Backups of version 1.2 do not
                 *     have the number.
                 */
                notSendable?: number;
            };
        };
        /**
         * @description An entry of the log of e-mails. It is restored only if the person is on the list, and only for 90 days after
         *     `putAt`.
         */
        BackupLetter: {
            /** @constant */
            kind: "letter";
            /** @description The id of the person's record. */
            recordId: string;
            /** @description The id that the e-mail had in the outbox. */
            itemId: string;
            /** @description What became of the e-mail. It may have members that are not listed here. */
            letter: {
                /** @enum {string} */
                letter: "confirmation" | "invitation" | "link";
                /**
                 * Format: date-time
                 * @description When the e-mail was put into the outbox.
                 */
                putAt: string;
            };
        };
        /** @description A schedule of waves. A restore pauses one that was running. */
        BackupSchedule: {
            /** @constant */
            kind: "schedule";
            /** @description The id of the schedule. */
            id: string;
            /** @description The schedule as it is stored. It may have members that are not listed here. */
            schedule: {
                parameters: {
                    /** @description The most waiting people to invite. */
                    next: number;
                    link: string;
                    /**
                     * @description Whether runs are due each day or each week.
                     * @enum {string}
                     */
                    every: "day" | "week";
                    /**
                     * @description The day of the week on which runs are due; required for `week`, and for `week` only.
                     * @enum {string}
                     */
                    weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                    /** @description The time of day that clocks in the zone show. */
                    at: string;
                    /** @description The IANA name of a zone, such as `Europe/Berlin`. */
                    zone: string;
                    /**
                     * Format: date
                     * @description The last day on which a run may be due, in the zone; without a last day if absent.
                     */
                    until?: string;
                    /** @description How many waves the schedule starts at the most. */
                    times?: number;
                };
                /** Format: date-time */
                createdAt: string;
                operator: string;
                /** @enum {string} */
                state: "running" | "paused" | "done" | "cancelled";
                runs: number;
                nextRun?: {
                    /**
                     * Format: date
                     * @description The day on which the run is due, in the zone.
                     */
                    date: string;
                    /** @description Milliseconds since 1970. */
                    dueAt: number;
                };
                lastRun?: {
                    /**
                     * Format: date
                     * @description The day on which the run is due, in the zone.
                     */
                    date: string;
                    /** @description Milliseconds since 1970. */
                    dueAt: number;
                };
            };
        };
        BackupAuditEntry: {
            /** @constant */
            kind: "audit";
            entry: components["schemas"]["AuditEntry"];
        };
        /** @description The wording of the consent that people confirmed, as it was displayed. */
        BackupConsentText: {
            /** @constant */
            kind: "consent_text";
            /** @description A hash of language and wording, base64url; `proof.consentText` names it. */
            id: string;
            text: string;
            /** @enum {string} */
            lang: "en" | "de";
        };
        /** @description A key of the links to self-service pages. A restore adds it to the store's own key. */
        BackupPlaceKey: {
            /** @constant */
            kind: "place_key";
            /** @description 32 bytes in base64url. */
            key: string;
            /**
             * Format: date-time
             * @description The time until which the key opens links; absent for the key that makes links.
             */
            opensUntil?: string;
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
            auditEntries: number;
            waves?: number;
            /** @description The number of people whom waves shall invite by address. */
            named?: number;
            brakes?: number;
            schedules?: number;
            /** @description The number of entries of the log of e-mails. */
            letters?: number;
        };
        RequestedRestore: {
            /** @description SHA-256 of all bytes before this line, hexadecimal. */
            checksum: string;
            counts: components["schemas"]["BackupCounts"];
            /** @description Continues a restore of this backup that was begun. */
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
            /** @description The number of sign-ups that were left out, because their address has an erasure mark. */
            erased: number;
        };
        /** @description An action of an operator. It may have members that are not listed here, such as those of a newer version. */
        AuditEntry: {
            /**
             * Format: date-time
             * @description The time of the call; for `failedSignIn` and `forbidden`, the time when the calls of the last minute were
             *     counted.
             */
            at: string;
            /** @description A random id, so that two entries of the same time differ. */
            id: string;
            /**
             * @description The `operationId` of the operation; `failedSignIn` for calls without a right key, `forbidden` for
             *     calls that the operator's role does not allow; `mailBounced` and `mailComplained` for what a mail
             *     provider reported.
             * @example rotateClient
             */
            action: string;
            /**
             * @description The name of the operator; `mail` for a mail provider; absent for `failedSignIn` and for what the service did
             *     by itself.
             */
            operator?: string;
            /** @description The `X-Request-Id` of the answer, which the log of the service has too. */
            requestId?: string;
            /** @description The client that was changed. */
            client_id?: string;
            /** @description The keyed hash of the address, base64url, if the call was about one address. */
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
            /** @description With `newest`, the value of `before` for the next page; absent on the last one. */
            next?: string;
        };
        /** @description An error, with a stable code for programs and a sentence for people. */
        Error: {
            /**
             * @description The machine code.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_json" | "unauthorized" | "forbidden" | "expired" | "not_found" | "method_not_allowed" | "body_cut" | "conflict" | "store_not_empty" | "restore_begun" | "other_restore" | "no_restore" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error";
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
        /** @description The role of the key does not allow the operation (`forbidden`); `x-roles` lists the roles that do. */
        Forbidden: {
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
        /** @description There is no wave with this id (`not_found`). */
        UnknownWave: {
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
        /** @description There is no schedule with this id (`not_found`). */
        UnknownSchedule: {
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
        /** @description The operator has saved no filter with this name (`not_found`). */
        UnknownFilter: {
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
        /** @description There is no job with this id (`not_found`). */
        UnknownJob: {
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
        /** @description No invitation has this code, or it is for another address (`not_found`). */
        UnknownInvitation: {
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
        /** @description The code was redeemed with another `reference`, or imports have given it to several people (`conflict`). */
        UsedInvitation: {
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
        /** @description The time to redeem the invitation is over (`expired`). */
        ExpiredInvitation: {
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
        /** @description No restore of this backup is under way (`not_found`); it may have been finished. */
        UnknownRestore: {
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
         * @description The number of sign-ups before the work begins, from the counter of the statistics; absent if that counter is
         *     damaged.
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownClient"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    renameClient: {
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
                "application/json": components["schemas"]["ClientName"];
            };
        };
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
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownClient"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteClient: {
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
            /** @description The client before it was deleted. */
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    rotateLinkKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkKeyRotationRequest"];
            };
        };
        responses: {
            /** @description The time when older links stop working. */
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
                    "application/json": components["schemas"]["LinkKeyRotation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
            403: components["responses"]["Forbidden"];
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
                "application/json": components["schemas"]["ShowRequest"];
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
                    "application/json": components["schemas"]["ShownSignup"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    correctSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectionRequest"];
            };
        };
        responses: {
            /** @description The address is corrected. */
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
                    "application/json": components["schemas"]["Correction"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    setAnswers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswersRequest"];
            };
        };
        responses: {
            /** @description The person. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    setNote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteRequest"];
            };
        };
        responses: {
            /** @description The person. */
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
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
                /**
                 * @description How many rows of a file the caller could not read, and therefore does not send. The audit entry counts
                 *     them as refused, so that it has the same number as the caller; the answer does not count them. A call
                 *     without lines reports rows that come behind the last lines of the file.
                 */
                unread?: number;
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
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listSignups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ListRequest"];
            };
        };
        responses: {
            /** @description A page. */
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
                    "application/json": components["schemas"]["SignupPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    countSignups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignupCountRequest"];
            };
        };
        responses: {
            /** @description The number of people. */
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
                    "application/json": components["schemas"]["SignupCount"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    remindSignups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReminderRequest"];
            };
        };
        responses: {
            /** @description The progress, the named people who are not asked again, and the counts on the last line. */
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
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["NotReminded"] | components["schemas"]["ReminderEnd"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    markUndeliverable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Addresses"];
            };
        };
        responses: {
            /** @description The result. */
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
                    "application/json": components["schemas"]["UndeliverableReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    markDeliverable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Addresses"];
            };
        };
        responses: {
            /** @description The result. */
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
                    "application/json": components["schemas"]["DeliverableReport"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    eraseSignups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StateErasure"];
            };
        };
        responses: {
            /** @description The progress, and the count on the last line. */
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
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["StateErasureEnd"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    checkInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationCheck"];
            };
        };
        responses: {
            /** @description The invitation. */
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
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownInvitation"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["UsedInvitation"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    redeemInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRedemption"];
            };
        };
        responses: {
            /** @description The invitation. */
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
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownInvitation"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["UsedInvitation"];
            410: components["responses"]["ExpiredInvitation"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    renewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRenewal"];
            };
        };
        responses: {
            /** @description The invitation. */
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
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownInvitation"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["UsedInvitation"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    resendInvitation: {
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
            /** @description The invitation. */
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
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownAddress"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["ExpiredInvitation"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    testInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationTestRequest"];
            };
        };
        responses: {
            /** @description The result of each e-mail. */
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
                    "application/json": components["schemas"]["InvitationTest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listWaves: {
        parameters: {
            query?: {
                /** @description Only waves behind a page. The value is the `next` of that page. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The waves. */
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
                    "application/json": components["schemas"]["WaveList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    startWave: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaveRequest"];
            };
        };
        responses: {
            /** @description The wave, which may be done already, or the plan of a dry run, or the plan of a wave that invited nobody. */
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
                    "application/json": components["schemas"]["StartedWave"] | components["schemas"]["WavePlan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    showWave: {
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
            /** @description The wave. */
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
                    "application/json": components["schemas"]["Wave"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownWave"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listWavePeople: {
        parameters: {
            query?: {
                /** @description Only people behind a page. The value is the `next` of that page. */
                after?: string;
                /** @description The most people of the page; 100 by default. */
                limit?: number;
                /**
                 * @description Whether the people are written to a file. The audit log then has an entry. Only the role `operator` may
                 *     set it.
                 */
                export?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people. */
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
                    "application/json": components["schemas"]["WavePeople"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownWave"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    pauseWave: {
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
            /** @description The wave. */
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
                    "application/json": components["schemas"]["Wave"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownWave"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    resumeWave: {
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
            /** @description The wave. */
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
                    "application/json": components["schemas"]["Wave"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownWave"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    cancelWave: {
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
            /** @description The wave. */
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
                    "application/json": components["schemas"]["Wave"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownWave"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listSchedules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules. */
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
                    "application/json": components["schemas"]["ScheduleList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleRequest"];
            };
        };
        responses: {
            /** @description The schedule, or the plan of a dry run. */
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
                    "application/json": components["schemas"]["Schedule"] | components["schemas"]["SchedulePlan"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    pauseSchedule: {
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
            /** @description The schedule. */
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
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownSchedule"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    resumeSchedule: {
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
            /** @description The schedule. */
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
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownSchedule"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    cancelSchedule: {
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
            /** @description The schedule. */
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
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownSchedule"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listFilters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The filters of the operator. */
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
                    "application/json": components["schemas"]["FilterList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    saveFilter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedFilter"];
            };
        };
        responses: {
            /** @description The filters of the operator. */
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
                    "application/json": components["schemas"]["FilterList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    removeFilter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FilterName"];
            };
        };
        responses: {
            /** @description The filters of the operator. */
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
                    "application/json": components["schemas"]["FilterList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownFilter"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs. */
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
                    "application/json": components["schemas"]["JobList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    startJob: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobRequest"];
            };
        };
        responses: {
            /** @description The job. */
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
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    showJob: {
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
            /** @description The job. */
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
                    "application/json": components["schemas"]["Job"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownJob"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    cancelJob: {
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
            /** @description The job. */
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
                    "application/json": components["schemas"]["Job"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownJob"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
                "application/json": components["schemas"]["RequestedRestore"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRestore"];
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
                /** @description Only entries before this time, which is a UTC date, a date-time, or the `next` of a page. */
                before?: string;
                /** @description Only entries about the operator with this name. */
                operator?: string;
                /** @description Only entries with this action, such as `eraseSignup`. */
                action?: string;
                /**
                 * @description Only entries with another action than this. The console leaves out `redeemInvitation` at first, because
                 *     products redeem many invitations.
                 */
                without?: string;
                /**
                 * @description The most entries of the answer, the newest first. The service reads at most 2,000 entries for them. The
                 *     last line has `next` if there are more entries.
                 */
                newest?: number;
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
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /**
                 * @description The first day of the answer, a UTC date such as `2026-05-01`; by default the last 90 days. Days before the
                 *     first sign-up are left out, except among the last 90 days. There are at most 3,660 days.
                 */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
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
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LetterLogRequest"];
            };
        };
        responses: {
            /** @description A page of the e-mails. */
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
                    "application/json": components["schemas"]["LetterPage"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutboxRequest"];
            };
        };
        responses: {
            /** @description The e-mails and events. */
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
                    "application/json": components["schemas"]["OutboxList"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    retryOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryRequest"];
            };
        };
        responses: {
            /** @description The progress, and the counts on the last line. */
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
                    "application/x-ndjson": components["schemas"]["Progress"] | components["schemas"]["RetryEnd"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    testLetter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LetterTestRequest"];
            };
        };
        responses: {
            /** @description The result of the e-mail. */
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
                    "application/json": components["schemas"]["LetterTest"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            408: components["responses"]["BodyCut"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
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
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the receiver accepted the event. */
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
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
}
