import '@mantine/dates/styles.css'

/** With its styles, which only a calendar needs. */
export { DatePicker as default } from '@mantine/dates'
