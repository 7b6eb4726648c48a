import('/late/300/chain-3.js');
