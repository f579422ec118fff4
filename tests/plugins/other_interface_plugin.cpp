// A plug-in for another interface, as of an earlier version of proffer.
extern "C" __attribute__((visibility("default"))) const char* proffer_policies_abi() {
  return "policies 0, libstdc++";
}
