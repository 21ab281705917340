/** Invented first names, two or three for each letter, so that every pair of initials has names. */
export const firstNames: readonly (readonly string[])[] = [
  'Anna Aron Astrid',
  'Bela Bruno Britt',
  'Carla Cees Clara',
  'Dora Dirk Dunja',
  'Eva Emil Edda',
  'Femke Falk Freya',
  'Greta Gino Gerda',
  'Hanna Hugo Hilde',
  'Ida Ivo Inga',
  'Jana Joris Jutta',
  'Katja Kees Klara',
  'Lena Luca Lotte',
  'Marta Milan Maud',
  'Nora Nils Nadia',
  'Olga Oskar Orla',
  'Paula Piet Petra',
  'Quinn Quirin',
  'Rosa Ruben Rita',
  'Sara Sven Sofie',
  'Tilda Timo Tove',
  'Ulla Uwe Una',
  'Vera Viktor Vita',
  'Wanda Willem Wilma',
  'Xenia Xaver',
  'Yara Yannick',
  'Zita Zeno Zora',
].map((names) => names.split(' '));

export const lastNames: readonly (readonly string[])[] = [
  'Adler Aalto Arens',
  'Berg Bakker Brandt',
  'Castel Claes Corten',
  'Dahl Daalder Dorn',
  'Eklund Ebner Elster',
  'Fischer Fontein Falk',
  'Graf Groen Garnier',
  "Holm Haas O'Hara",
  'Ivars Immer Isak',
  'Jansen Jung Jokela',
  'Kern Koster Krug',
  'Lund Lang Lemaire',
  'Meyer Mulder Marin',
  'Nagel Noor Nyberg',
  'Olsen Otter Ohm',
  'Palm Peeters Prinz',
  'Quist Quandt',
  'Roth Ruys Ricci',
  'Storm Smit Sander',
  'Torp Tulp Thorn',
  'Ulrich Unger',
  'Vogel Visser Varga',
  'Winter Wolf Weber',
  'Xander Ximenes',
  'Yilmaz Yde',
  'Zeeman Zorn Zander',
].map((names) => names.split(' '));

export const companyWords: readonly string[] = (
  'Alder Amber Anchor Aurora Beacon Birch Bridge Canal Cedar Cobalt Copper Coral Delta Dune Ember Fjord Gallium ' +
  'Glacier Granite Harbour Heron Indigo Island Jasper Juniper Kestrel Lagoon Lantern Larch Marble Meadow Meridian ' +
  'Nimbus Nordic Oak Onyx Orchard Osprey Pebble Polder Prairie Quarry Quartz Raven Ridge River Saffron Sierra ' +
  'Silver Spruce Summit Tern Thistle Tidal Topaz Tundra Umber Valley Velvet Vertex Walnut Willow Yarrow Zephyr'
).split(' ');

export const companyKinds: readonly string[] = ['Networks', 'Telecom', 'Hosting', 'Fibre', 'Internet', 'University'];
export const companyForms: readonly string[] = ['Ltd.', 'B.V.', 'GmbH', 'AB', 'S.A.', '(Example) & Co'];

export const streets: readonly string[] = [
  'Hafenstraße',
  'Rue du Château',
  'Västergatan',
  'Main Street',
  'Plaza España',
];
export const cities: readonly string[] = ['Zürich', 'Malmö', 'Besançon', 'Utrecht', 'Córdoba', 'Århus', 'Galway'];
export const countries: readonly string[] = ['NL', 'DE', 'SE', 'FR', 'GB', 'ES', 'IT', 'PL', 'CH', 'EU', 'DK', 'IE'];
export const languages: readonly string[] = ['en', 'nl', 'de', 'fr', 'sv', 'es'];

export const remarkTexts: readonly string[] = [
  'Customer network, see the contacts for abuse',
  'Übergabepunkt im Rechenzentrum, Gebäude 2',
  "Réseau d'accès, contact privilégié: le rôle technique",
  'Routing questions to the operations centre, 24x7',
  'Adressträd för växande nät, frågor tas emot på svenska',
  'Do not send attachments larger than 10 MB',
  'Red académica, señales de mantenimiento los sábados',
  '----------------------------------------',
];
