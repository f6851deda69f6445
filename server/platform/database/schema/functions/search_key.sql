-- How names, companies, cities, tags and words of enquiries are compared, stored and searched alike: in lower case, without marks of Latin
-- letters, nuktas and invisible marks, with the digits 0 to 9. A nasal without its vowel before a consonant and a chandrabindu are an
-- anusvara, and the virama at the end of a word is left out. Vowels and consonants stay. `folded` (server/platform/text/contract.ts) does
-- the same. What it returns is stored: a change needs a migration that writes the columns and indexes again.
create or replace function search_key(value text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  key text;
begin
  if octet_length(value) = length(value) then
    return lower(value);
  end if;
  -- Each step that most texts do not need is behind a test: the tests take less time than the steps.
  key := normalize(replace(value, '´', ''''), NFKC);
  if key ~ '[\u00c0-\u08ff\u1e00-\u1fff]' then
    key := regexp_replace(normalize(key, NFKD), '[\u0300-\u036f\u0640\u064b-\u065f\u0670]', '', 'g');
    key := translate(normalize(key, NFC), 'ØøŁłĐđıكيى', 'oollddiکیی');
  end if;
  key := lower(regexp_replace(key, '[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0c3c\u0cbc\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f'
    || '\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]', '', 'g'));
  if key ~ '[ʹ-ʼ‐-―‘-‛′−]' then
    key := translate(key, '’‘‛ʼʻʹ′‐‒–—―−', repeat('''', 7) || '------');
  end if;
  if key ~ '[٠-٩۰-۹०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯]' then
    key := translate(key, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯੦੧੨੩੪੫੬੭੮੯૦૧૨૩૪૫૬૭૮૯୦୧୨୩୪୫୬୭୮୯௦௧௨௩௪௫௬௭௮௯౦౧౨౩౪౫౬౭౮౯೦೧೨೩೪೫೬೭೮೯൦൧൨൩൪൫൬൭൮൯',
      repeat('0123456789', 11));
  end if;
  if key !~ '[\u0900-\u0d7f]' then
    return key;
  end if;
  if key ~ '[ऩऱऴॐૐஔஶௌௐৎൌൺ-ൿ]' then
    key := translate(regexp_replace(key, '[ৎൺ-ൿ]', '\&्', 'g'), 'ऩऱऴஶৎൌൺൻർൽൾൿ', 'नरळஸতൗണനരലളക');
    key := replace(replace(replace(key, 'ॐ', 'ओम'), 'ૐ', 'ઓમ'), 'ௐ', 'ஓம');
    key := replace(replace(key, 'ஔ', 'ஒள'), e'\u0bcc', e'\u0bc6ள');
  end if;
  key := regexp_replace(key, '[\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]', '्', 'g');
  key := regexp_replace(key,
    '[\u0900\u0901\u0981\u0982\u0a01\u0a02\u0a70\u0a81\u0a82\u0b01\u0b02\u0c00-\u0c02\u0c80-\u0c82\u0d00-\u0d02]', 'ं', 'g');
  key := regexp_replace(key, '[ङञणनमঙঞণনমਙਞਣਨਮઙઞણનમଙଞଣନମఙఞణనమಙಞಣನಮങഞണനമ]्(?=[क-हক-হਕ-ਹક-હକ-ହక-హಕ-ಹക-ഹৰৱୟୱ])', 'ं', 'g');
  return regexp_replace(key, '्(?![\u0900-\u0d7f])', '', 'g');
end
$$;
