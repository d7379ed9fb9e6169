// @ts-check
/// <reference lib="dom" />
/**
 * Sends the height of this page to the page around the frame, where `/embed.js` adjusts the height of the frame. Takes
 * the referral code and the campaign in the URL of the page around the frame from `/embed.js`, and writes them into the
 * form.
 */

// Any origin may get the message, because the height is no secret and only listed sites can show this page in a frame.
const sendHeight = () => {
  const { height } = document.body.getBoundingClientRect();
  parent.postMessage({ waitlistHeight: Math.ceil(height) }, "*");
};

/**
 * Returns the value of a parameter as the service stores it; empty if the form does not pass the parameter on.
 *
 * @param {unknown} name
 * @param {unknown} value
 */
const valueOf = (name, value) => {
  const text = String(value);
  if (name === "r") return /^[A-Za-z0-9]{10}$/.test(text) ? text : "";
  if (!["utm_source", "utm_medium", "utm_campaign"].includes(String(name))) return "";
  return text.toLowerCase().replace(/[^a-z0-9_-]/gu, "-").slice(0, 40);
};

/** @param {unknown} parameters pairs of the name and the value of a parameter */
const takeParameters = (parameters) => {
  if (!Array.isArray(parameters)) return;
  for (const form of document.forms) {
    const action = new URL(form.action);
    for (const [name, value] of parameters) {
      const text = valueOf(name, value);
      // A parameter in the URL of this page takes precedence.
      if (!text || action.searchParams.has(name)) continue;
      action.searchParams.set(name, text);
      form.action = action.href;
    }
  }
};

if (parent !== window) {
  new ResizeObserver(sendHeight).observe(document.body);
  // The script of the page around the frame may start later, and then asks for the height.
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (data === "waitlist-height") sendHeight();
    else takeParameters(data?.waitlistParameters);
  });
}
