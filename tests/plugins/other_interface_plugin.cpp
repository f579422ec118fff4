// As a plug-in for the proffer before this one would be.
extern "C" __attribute__((visibility("default"))) const char* proffer_policies_abi() {
  return "policies 0, libstdc++";
}
