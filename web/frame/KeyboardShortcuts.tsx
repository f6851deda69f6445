import { Kbd, Modal, Table } from '@mantine/core'
import { useNavigation } from './navigation.ts'

const keys = [
  ['Ctrl K', 'Go anywhere, find a lead'],
  ['/', 'Search this list, or everything'],
  ['n', 'Add a lead, or what this page adds'],
  ['j  k', 'Next and previous row; the arrows too'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close'],
  ['?', 'This list'],
  ['e  c  m', 'On a lead: change its name, log a call, add a note'],
] as const

/** What can be pressed, by whom it is. */
export function KeyboardShortcuts({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const toPlaces = useNavigation().flatMap(({ key, label }) => (key ? [[`g ${key}`, label] as const] : []))
  return (
    <Modal opened={opened} onClose={onClose} title="Keys">
      <Table aria-label="Keys">
        <Table.Tbody>
          {[...keys, ...toPlaces].map(([key, does]) => (
            <Table.Tr key={key}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
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
