import '../index.js?verify'
