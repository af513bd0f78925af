namespace Tarn.Tests.Platform;

public sealed class SystemMemoryTests() : VirtualMemoryContract(VirtualMemory.Current)
{
    [Fact]
    public void The_system_is_found_once()
    {
        Assert.Same(VirtualMemory.Current, VirtualMemory.Current);
        Type expected = OperatingSystem.IsLinux() ? typeof(LinuxVirtualMemory)
            : OperatingSystem.IsMacOS() ? typeof(MacVirtualMemory)
            : typeof(WindowsVirtualMemory);
        Assert.IsType(expected, VirtualMemory.Current);
    }
}
