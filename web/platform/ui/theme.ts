import { t } from '@lingui/core/macro'
import { type CSSVariablesResolver, createTheme, rem } from '@mantine/core'
import { findOptions } from './find-options.ts'

/** Four sizes of type: page title 22, section 16, body 14, small 12. */
const heading = { fontSize: rem(16), fontWeight: 600, lineHeight: 1.4 }
const sizes = { xs: rem(12), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(22) }

export const theme = createTheme({
  primaryColor: 'indigo',
  colors: {
    // Mantine's own darks have no colour at all; these lean to the accent.
    dark: [
      ...(['#d9dce3', '#a9b0bd', '#8d95a3', '#6b7382', '#3a3f4b'] as const),
      ...(['#2a2e37', '#1f222a', '#16181d', '#121419', '#0d0f13'] as const),
    ],
  },
  // Shades on which white text has a contrast of 4.5 and more.
  primaryShade: { light: 7, dark: 8 },
  fontFamily: "'Inter Variable', 'Noto Sans Devanagari Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', 'Noto Sans Devanagari Variable', ui-monospace, monospace",
  fontSizes: sizes,
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: sizes.xl, lineHeight: '1.3' },
      h2: { fontSize: sizes.lg, lineHeight: '1.4' },
      h3: { fontSize: sizes.sm, lineHeight: '1.4' },
    },
  },
  // Not by their `extend`, which would load all of them before the first page.
  components: {
    // Nearly every field is needed; those that are not say so.
    InputWrapper: {
      defaultProps: { withAsterisk: false },
      styles: { label: { marginBottom: 4 } },
    },
    // Its placeholder for the focus is no item, which readers of the screen trip over.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 100 } } },
    Modal: {
      styles: { title: heading },
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': t`Close` },
      },
    },
    Drawer: {
      styles: { title: heading },
      defaultProps: { transitionProps: { duration: 120 }, closeButtonProps: { 'aria-label': t`Close` } },
    },
    Autocomplete: { defaultProps: { filter: findOptions } },
    MultiSelect: { defaultProps: { filter: findOptions } },
    Select: { defaultProps: { filter: findOptions } },
    TagsInput: { defaultProps: { filter: findOptions } },
    Tooltip: { defaultProps: { transitionProps: { duration: 100 }, openDelay: 300 } },
  },
  respectReducedMotion: true,
})

/** Where Mantine's own greys and reds are too pale to read (AA), and what a state or a priority is coloured. */
export const cssVariables: CSSVariablesResolver = () => ({
  // Mantine has no such size, and lets a sheet that asks for it fill the screen.
  variables: { '--drawer-size-auto': 'auto' },
  light: {
    '--mantine-color-dimmed': '#5a6270',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--surface': '#ffffff',
    '--surface-sunken': '#f7f8fa',
    '--hairline': '#e4e7ec',
    '--selected': '#f4f6ff',
    '--blue': '#1971c2',
    '--cyan': '#0b7285',
    '--violet': '#6741d9',
    '--amber': '#b35300',
    '--green': '#2b7a3b',
    '--grey': '#5a6270',
    '--red': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a0a7b4',
    '--mantine-color-placeholder': '#8d95a3',
    '--mantine-color-error': '#ff8787',
    '--surface': '#16181d',
    '--surface-sunken': '#121419',
    '--hairline': '#2a2e37',
    '--selected': '#20263f',
    '--blue': '#74c0fc',
    '--cyan': '#66d9e8',
    '--violet': '#b197fc',
    '--amber': '#ffc078',
    '--green': '#8ce99a',
    '--grey': '#a0a7b4',
    '--red': '#ff8787',
  },
})
