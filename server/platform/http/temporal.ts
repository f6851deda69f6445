/** Provides Temporal, which Node has since version 26. Imported by every file that uses it. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
