export { default } from "./status.ts";
