/** Whether a dialog or a menu lies over the page: its keys are not the page's. */
export const somethingAbove = () => document.querySelector('[role="dialog"], [role="menu"]') !== null
