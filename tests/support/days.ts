/** Days that the calendar has, and days that it does not have. @module */

/** How many days each month of a common year has. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Gives each text from `2023-00-00` to `2028-13-32`, and whether the calendar has the day. */
export function* eachDay(): Generator<{ text: string; exists: boolean }> {
  const digits = (number: number) => String(number).padStart(2, "0");
  for (let year = 2023; year <= 2028; year++) {
    for (let month = 0; month <= 13; month++) {
      const isLeap = month === 2 && year % 4 === 0;
      const last = (DAYS[month - 1] ?? 0) + Number(isLeap);
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${digits(month)}-${digits(day)}`;
        yield { text, exists: day >= 1 && day <= last };
      }
    }
  }
}
