/**
 * The form of referral codes.
 *
 * @module
 */

/** The form of a referral code. The service does not look for a code of any other form. */
export const REFERRAL_CODE = /^[A-Za-z0-9]{10}$/;
