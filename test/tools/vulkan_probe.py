"""What the Vulkan loader offers: devices and the validation layer. Also a program: prints them."""
import ctypes
from collections import namedtuple

Device = namedtuple("Device", "name has_double")
Vulkan = namedtuple("Vulkan", "devices has_validation_layer")

VALIDATION_LAYER = b"VK_LAYER_KHRONOS_validation"
# Offsets and sizes of the C structures of vulkan_core.h, 64-bit.
LAYER_PROPERTIES_SIZE = 520  # char name[256]; two u32; char description[256]
DEVICE_NAME_OFFSET = 20  # VkPhysicalDeviceProperties: apiVersion driverVersion vendorID deviceID deviceType deviceName
SHADER_FLOAT64_INDEX = 39  # of the VkBool32 members of VkPhysicalDeviceFeatures


class InstanceCreateInfo(ctypes.Structure):
    _fields_ = [
        ("sType", ctypes.c_uint32),
        ("pNext", ctypes.c_void_p),
        ("flags", ctypes.c_uint32),
        ("pApplicationInfo", ctypes.c_void_p),
        ("enabledLayerCount", ctypes.c_uint32),
        ("ppEnabledLayerNames", ctypes.c_void_p),
        ("enabledExtensionCount", ctypes.c_uint32),
        ("ppEnabledExtensionNames", ctypes.c_void_p),
    ]


def probe():
    try:
        loader = ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return Vulkan([], False)
    return Vulkan(_devices(loader), _has_validation_layer(loader))


def _has_validation_layer(loader):
    count = ctypes.c_uint32(0)
    loader.vkEnumerateInstanceLayerProperties(ctypes.byref(count), None)
    layers = ctypes.create_string_buffer(LAYER_PROPERTIES_SIZE * max(count.value, 1))
    loader.vkEnumerateInstanceLayerProperties(ctypes.byref(count), layers)
    starts = range(0, count.value * LAYER_PROPERTIES_SIZE, LAYER_PROPERTIES_SIZE)
    return any(layers.raw[i : i + 256].split(b"\0")[0] == VALIDATION_LAYER for i in starts)


def _devices(loader):
    info = InstanceCreateInfo(sType=1)
    instance = ctypes.c_void_p()
    if loader.vkCreateInstance(ctypes.byref(info), None, ctypes.byref(instance)) != 0:
        return []
    count = ctypes.c_uint32(0)
    loader.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None)
    handles = (ctypes.c_void_p * max(count.value, 1))()
    loader.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), handles)
    devices = []
    for handle in handles[: count.value]:
        properties = ctypes.create_string_buffer(4096)
        loader.vkGetPhysicalDeviceProperties(ctypes.c_void_p(handle), properties)
        features = (ctypes.c_uint32 * 256)()
        loader.vkGetPhysicalDeviceFeatures(ctypes.c_void_p(handle), features)
        name = properties.raw[DEVICE_NAME_OFFSET : DEVICE_NAME_OFFSET + 256].split(b"\0")[0]
        devices.append(Device(name.decode(), bool(features[SHADER_FLOAT64_INDEX])))
    loader.vkDestroyInstance(instance, None)
    return devices


if __name__ == "__main__":
    found = probe()
    for device in found.devices:
        print(f"{device.name}: double {'yes' if device.has_double else 'no'}")
    print(f"validation layer: {'yes' if found.has_validation_layer else 'no'}")
