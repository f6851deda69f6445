import { Kbd, Modal, Table } from '@mantine/core'
import { useNavigation } from './navigation.ts'

const keys = [
  ['Ctrl K', 'Open the command palette'],
  ['/', 'Search'],
  ['n', 'Add a lead, or an item of this page'],
  ['j  k', 'Next and previous row (also ↓ and ↑)'],
  ['Enter', 'Open the row'],
  ['x', 'Select the lead of the row, with Shift all up to it'],
  ['Esc', 'Close'],
  ['?', 'Show keyboard shortcuts'],
  ['s  o', 'On a lead: change the status or the owner'],
  ['e  c  m', 'On a lead: edit the name, log a call, add a note'],
  ['c  x', 'On the next lead: call, skip'],
  ['1  2  3  4', 'In the form of a call, outside of text fields (Esc): log the outcome'],
  ['Ctrl Enter', 'Save the form'],
  ['Ctrl Z', 'Undo the last change, outside of text fields'],
] as const

export function KeyboardShortcuts({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const navigationKeys = useNavigation().flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : []))
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts">
      <Table aria-label="Keyboard shortcuts">
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
