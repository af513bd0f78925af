using System.Globalization;
using System.Text;

namespace Tarn.Tests.Platform;

/// <summary>The name of Tarn's mappings, which tools outside the process read.</summary>
public class NamedMappingsTests
{
    private const nuint Size = 4 << 20;

    [SkippableFact]
    public void A_reservation_has_the_name_or_the_kernel_has_none()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux names mappings");
        var memory = new LinuxVirtualMemory();

        nint address = memory.Reserve(Size, Size);
        try
        {
            Assert.True(memory.Commit(address, Size / 2));
            string[] ours = [.. MappingsFrom(address, Size)];

            Assert.NotEmpty(ours);
            Skip.IfNot(ours.Any(line => line.Contains("[anon:", StringComparison.Ordinal)), "this kernel names no mappings");
            string name = $"[anon:{Encoding.UTF8.GetString(LinuxVirtualMemory.Name)}]";
            Assert.All(ours, line => Assert.EndsWith(name, line, StringComparison.Ordinal));
        }
        finally
        {
            memory.Release(address, Size);
        }
    }

    /// <summary>The mappings that the range touches: the kernel may merge it with neighbours of equal attributes.</summary>
    private static IEnumerable<string> MappingsFrom(nint address, nuint size) => File.ReadLines("/proc/self/maps")
        .Where(line =>
        {
            string[] ends = line.Split(' ')[0].Split('-');
            return Number(ends[0]) < (ulong)address + size && Number(ends[1]) > (ulong)address;
        });

    private static ulong Number(string text) => ulong.Parse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
