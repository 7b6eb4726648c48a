import('/late/300/chain-2.js');
