import { t } from '@lingui/core/macro'
import { Kbd, Table } from '@mantine/core'
import { Modal } from '../platform/ui/Dialog.tsx'
import { useNavigation } from './navigation.ts'

const keys = [
  ['Ctrl K', t`Open the command palette`],
  ['/', t`Search`],
  ['n', t`Add a lead, or an item of this page`],
  ['j  k', t`Next and previous row (also ↓ and ↑)`],
  ['Enter', t`Open the row`],
  ['x', t`Select the lead of the row, with Shift all up to it`],
  ['Esc', t`Close`],
  ['?', t`Show keyboard shortcuts`],
  ['s  o', t`On a lead: change the status or the owner`],
  ['e  c  m', t`On a lead: edit the name, log a call, add a note`],
  ['c  x', t`On the next lead: call, skip`],
  ['c', t`On Today: call the lead of the row`],
  ['1  2  3  4', t`In the form of a call, outside of text fields (Esc): log the outcome`],
  ['Ctrl Enter', t`Save the form`],
  ['Ctrl .', t`Go to the card of a phone call, and back with Esc`],
  ['Ctrl Z', t`Undo the last change, outside of text fields`],
] as const

export default function KeyboardShortcuts({ onClose }: { onClose(): void }) {
  const navigationKeys = useNavigation().flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : []))
  return (
    <Modal opened onClose={onClose} title={t`Keyboard shortcuts`}>
      <Table aria-label={t`Keyboard shortcuts`}>
        <Table.Tbody>
          {[...keys, ...navigationKeys].map(([key, does]) => (
            <Table.Tr key={key}>
              <Table.Td className="nowrap">
                {key.split(/ +/).map((part) => (
                  <Kbd key={part} mr={4}>
                    {part}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
