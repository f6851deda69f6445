import { NumberInput, type NumberInputProps } from '@mantine/core'

/** An amount in rupees, grouped in lakhs as it is typed. */
export const MoneyInput = (props: NumberInputProps) => (
  <NumberInput
    prefix="₹"
    thousandSeparator=","
    thousandsGroupStyle="lakh"
    decimalScale={2}
    min={0}
    max={9_999_999_999_999.99}
    allowNegative={false}
    hideControls
    inputMode="decimal"
    {...props}
  />
)
