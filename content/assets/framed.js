// @ts-check
/// <reference lib="dom" />
/**
 * Sends the height of this page to the page around the frame, where `/embed.js` adjusts the height of the frame. Takes
 * the referral code in the address of the page around the frame from `/embed.js`, and writes it into the form.
 */

// Any origin may get the message, because the height is no secret and only listed sites can show this page in a frame.
const sendHeight = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ waitlistHeight: Math.ceil(height) }, "*");
};

/** @param {unknown} code */
const takeReferralCode = (code) => {
  if (typeof code !== "string" || !/^[A-Za-z0-9]{10}$/.test(code)) return;
  for (const form of document.forms) {
    const action = new URL(form.action);
    // A code in the address of this page goes first.
    if (action.searchParams.has("r")) continue;
    action.searchParams.set("r", code);
    form.action = action.href;
  }
};

if (parent !== window) {
  new ResizeObserver(sendHeight).observe(document.body);
  // The script of the page around the frame may start later, and then asks for the height.
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (data === "waitlist-height") sendHeight();
    else takeReferralCode(data?.waitlistReferralCode);
  });
}
