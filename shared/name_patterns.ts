/**
 * The patterns of the names that operators give: slugs, and the ids of waves, jobs and schedules. This file does not import
 * zod, because loading zod would take time in commands of the CLI. `\-` is escaped, because the attribute `pattern` of
 * HTML requires it.
 *
 * @module
 */

/** Matches a slug: a short name for programs, such as a role, a use case or the name of an operator. */
export const SLUG = /^[a-z0-9_\-]{1,40}$/;

/** Matches the id of a wave or a job. The operator who starts the wave or job can choose the id. */
export const WAVE_ID = /^[A-Za-z0-9_\-]{1,64}$/;

/**
 * Matches the id of a schedule. It has 53 characters at most, because the id of a wave of this schedule has 11 more,
 * and the id of any wave has 64 at most.
 */
export const SCHEDULE_ID = /^[A-Za-z0-9_\-]{1,53}$/;
