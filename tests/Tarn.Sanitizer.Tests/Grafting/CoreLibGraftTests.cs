using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using Tarn.Sanitizing.Grafting;

namespace Tarn.Sanitizing.Tests.Grafting;

public class CoreLibGraftTests
{
    private const int Changed = 4;

    public static TheoryData<string, string> Packs => new()
    {
        { "here", "" },
        { "linux-x64", "8.0.34" }, { "linux-x64", "9.0.23" }, { "linux-x64", "10.0.12" }, { "linux-x64", "11.0.0" },
        { "linux-arm64", "8.0.34" }, { "linux-arm64", "9.0.23" }, { "linux-arm64", "10.0.15" }, { "linux-arm64", "11.0.0" },
        { "linux-musl-x64", "8.0.34" }, { "linux-musl-x64", "9.0.23" }, { "linux-musl-x64", "10.0.15" }, { "linux-musl-x64", "11.0.0" },
        { "win-x64", "8.0.33" }, { "win-x64", "9.0.22" }, { "win-x64", "10.0.15" }, { "win-x64", "11.0.0" },
        { "osx-x64", "8.0.34" }, { "osx-x64", "9.0.20" }, { "osx-x64", "10.0.12" }, { "osx-x64", "11.0.0" },
        { "osx-arm64", "8.0.34" }, { "osx-arm64", "9.0.20" }, { "osx-arm64", "10.0.12" }, { "osx-arm64", "11.0.0" },
    };

    [SkippableTheory]
    [MemberData(nameof(Packs))]
    public void Everything_but_the_pools_is_as_it_was(string identifier, string version)
    {
        byte[] bytes = File.ReadAllBytes(Find(identifier, version));
        using var old = new ReadImage([.. bytes]);

        Graft graft = CoreLibGraft.Apply(bytes);

        using var grafted = new ReadImage(graft.Image);
        Assert.Null(graft.Obstacle);
        Assert.InRange(graft.Hidden, 4, 200);
        Assert.Equal(old.Metadata.GetGuid(old.Metadata.GetModuleDefinition().Mvid), graft.Module);
        Assert.Equal(graft.Module, grafted.Metadata.GetGuid(grafted.Metadata.GetModuleDefinition().Mvid));
        CompareTables(old, grafted);
        CompareHeaps(old, grafted);
        CompareSections(old, grafted, graft.Hidden);
        CompareBodies(old, grafted);
    }

    /// <summary>Each row equals the old, but for the addresses of the methods that ask; two tables have three rows more.</summary>
    private static void CompareTables(ReadImage old, ReadImage grafted)
    {
        HashSet<int> asking = [.. Pools(old.Metadata).Select(method => MetadataTokens.GetRowNumber(method))];
        Assert.Equal(Changed, asking.Count);
        for (TableIndex table = 0; table <= TableIndex.GenericParamConstraint; table++)
        {
            int rows = old.Metadata.GetTableRowCount(table);
            int added = table is TableIndex.TypeSpec or TableIndex.MemberRef ? 3 : 0;
            Assert.Equal(rows + added, grafted.Metadata.GetTableRowCount(table));
            for (int row = 1; row <= rows; row++)
            {
                bool moved = table == TableIndex.MethodDef && asking.Contains(row);
                ReadOnlySpan<byte> before = old.Row(table, row).AsSpan(moved ? 4 : 0);
                ReadOnlySpan<byte> after = grafted.Row(table, row).AsSpan(moved ? 4 : 0);
                Assert.True(before.SequenceEqual(after), $"row {row} of {table} changed");
            }
        }
    }

    private static void CompareHeaps(ReadImage old, ReadImage grafted)
    {
        foreach (HeapIndex heap in Enum.GetValues<HeapIndex>())
        {
            byte[] before = old.Heap(heap);
            byte[] after = grafted.Heap(heap);
            Assert.True(after.AsSpan().StartsWith(before), $"heap {heap} changed");
            Assert.InRange(after.Length - before.Length, 0, 128);
        }
    }

    /// <summary>Code, old instructions, resources: in the old sections nothing differs but the rows in the hidden signatures.</summary>
    private static void CompareSections(ReadImage old, ReadImage grafted, int hidden)
    {
        Assert.Equal(old.Headers.SectionHeaders.Length, grafted.Headers.SectionHeaders.Length);
        int start = old.Headers.PEHeader!.SizeOfHeaders;
        int header = old.Headers.CorHeaderStartOffset;
        SectionHeader last = old.Headers.SectionHeaders[^1];
        int changes = 0;
        for (int at = start; at < last.PointerToRawData + last.SizeOfRawData; at++)
        {
            if (old.Bytes[at] != grafted.Bytes[at] && (at < header || at >= header + 72))
            {
                changes++;
            }
        }

        Assert.InRange(changes, hidden, 4 * hidden);
        foreach ((SectionHeader before, SectionHeader after) in old.Headers.SectionHeaders.Zip(grafted.Headers.SectionHeaders))
        {
            Assert.Equal(
                (before.Name, before.VirtualAddress, before.PointerToRawData),
                (after.Name, after.VirtualAddress, after.PointerToRawData));
            Assert.True(after.PointerToRawData + after.SizeOfRawData <= grafted.Bytes.Length);
        }
    }

    /// <summary>The old instructions follow the new ones, with the local variables they had.</summary>
    private static void CompareBodies(ReadImage old, ReadImage grafted)
    {
        foreach (MethodDefinitionHandle method in Pools(old.Metadata))
        {
            MethodBodyBlock before = old.Body(method);
            MethodBodyBlock after = grafted.Body(method);
            Assert.True(after.GetILBytes().AsSpan().EndsWith(before.GetILBytes()));
            Assert.Equal(0x72, after.GetILBytes()![0]); // ldstr
            Assert.Equal(before.LocalSignature, after.LocalSignature);
            Assert.Equal(before.LocalVariablesInitialized, after.LocalVariablesInitialized);
            Assert.InRange(after.MaxStack, Math.Max(3, before.MaxStack), 100);
        }
    }

    [Fact]
    public void A_second_graft_finds_nothing_to_hide()
    {
        Graft again = CoreLibGraft.Apply(CoreLibGraft.Apply(File.ReadAllBytes(Find("here", ""))).Image);

        Assert.Equal(0, again.Hidden);
        Assert.Equal("its table of generic methods names no method of a pool", again.Obstacle);
    }

    [Fact]
    public void Code_of_an_unknown_version_is_left_out()
    {
        byte[] bytes = File.ReadAllBytes(Find("here", ""));
        SetMajor(bytes, 99);

        Graft graft = CoreLibGraft.Apply(bytes);

        using var grafted = new ReadImage(graft.Image);
        Assert.Equal("its compiled code has the unknown version 99", graft.Obstacle);
        Assert.Equal(0, grafted.Headers.CorHeader!.ManagedNativeHeaderDirectory.Size);
        Assert.True(grafted.Headers.CorHeader.Flags.HasFlag(CorFlags.ILOnly));
        Assert.True(grafted.Headers.CoffHeader.Machine is Machine.Amd64 or Machine.Arm64);
        Assert.Equal(0x72, grafted.Body(Pools(grafted.Metadata).First()).GetILBytes()![0]);
    }

    [Theory]
    [InlineData("System.Linq.dll", "it has no type System.Type")]
    [InlineData("libcoreclr.so", "it cannot be read")]
    public void What_is_no_CoreLib_is_refused_with_the_reason(string file, string reason)
    {
        string path = Path.Combine(Path.GetDirectoryName(Find("here", ""))!, file);
        byte[] bytes = File.Exists(path) ? File.ReadAllBytes(path) : [1, 2, 3];

        Assert.StartsWith(reason, Assert.Throws<GraftException>(() => CoreLibGraft.Apply(bytes)).Message, StringComparison.Ordinal);
    }

    /// <summary>A file that was cut off or changed on a disk: a reason, no other exception.</summary>
    [Fact]
    public void A_damaged_file_is_refused_or_grafted()
    {
        byte[] whole = File.ReadAllBytes(Find("here", ""));
        var random = new Random(36);
        for (int round = 0; round < 12; round++)
        {
            byte[] damaged = round % 3 == 0 ? whole[..random.Next(whole.Length)] : [.. whole];
            for (int i = 0; i < 200; i++)
            {
                damaged[random.Next(round % 2 == 0 ? damaged.Length : Math.Min(1_024, damaged.Length))] = (byte)random.Next(256);
            }

            Exception? exception = Record.Exception(() => CoreLibGraft.Apply(damaged));
            Assert.True(exception is null or GraftException, exception?.ToString());
        }
    }

    internal static void SetMajor(byte[] image, ushort major)
    {
        using var read = new ReadImage([.. image]);
        int header = read.OffsetOf(read.Headers.CorHeader!.ManagedNativeHeaderDirectory.RelativeVirtualAddress);
        BitConverter.TryWriteBytes(image.AsSpan(header + 4), major);
    }

    private static string Find(string identifier, string version) =>
        identifier == "here" ? typeof(object).Assembly.Location : new RuntimePack(identifier, version).FindCoreLib();

    private static IEnumerable<MethodDefinitionHandle> Pools(MetadataReader reader) =>
        from handle in reader.TypeDefinitions
        let type = reader.GetTypeDefinition(handle)
        where reader.GetString(type.Name) is "SharedArrayPool`1" or "ConfigurableArrayPool`1"
        from method in type.GetMethods()
        where reader.GetString(reader.GetMethodDefinition(method).Name) is "Rent" or "Return"
        select method;
}
