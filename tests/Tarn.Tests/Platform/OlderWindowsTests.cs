namespace Tarn.Tests.Platform;

/// <summary>A Windows whose kernel32 does not export what came with Windows 8.1.</summary>
public sealed class OlderWindowsTests()
    : VirtualMemoryContract(OperatingSystem.IsWindows() ? new WindowsVirtualMemory("NoSuchExport") : VirtualMemory.Current);
