using System.Buffers.Binary;
using System.Numerics;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Tarn.Sanitizing.Grafting;

/// <summary>
/// Copies metadata and adds type specifications, references to members, blobs and strings at the ends of their tables and heaps.
/// </summary>
/// <remarks>
/// Neither table is sorted, and both heaps are addressed by offset, so that every token and every offset of the old metadata means the
/// same in the new. Compiled code refers to tokens: it stays valid.
/// </remarks>
internal sealed class MetadataAppender(MetadataReader reader, byte[] metadata)
{
    private const int StreamHeaderSize = 8;
    private const int TablesHeaderSize = 24;
    private const int LongestUserString = 0x40;

    /// <summary>The tag of a type specification among the parents of a member.</summary>
    private const int TypeSpecTag = 4;

    private readonly BlobBuilder _blobs = new();
    private readonly BlobBuilder _strings = new();
    private readonly BlobBuilder _typeSpecs = new();
    private readonly BlobBuilder _members = new();
    private int _typeSpecCount = reader.GetTableRowCount(TableIndex.TypeSpec);
    private int _memberCount = reader.GetTableRowCount(TableIndex.MemberRef);

    /// <summary>Returns the token of the string, which is short and has only ASCII characters.</summary>
    public int AddUserString(string text)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(text.Length, LongestUserString);
        int offset = reader.GetHeapSize(HeapIndex.UserString) + _strings.Count;
        if (offset >= 1 << 24)
        {
            throw new GraftException("it has no room for a string");
        }

        _strings.WriteByte((byte)((2 * text.Length) + 1));
        _strings.WriteUTF16(text);
        _strings.WriteByte(0);
        return (0x70 << 24) | offset;
    }

    /// <summary>Returns the token of the type.</summary>
    public int AddTypeSpec(params byte[] signature)
    {
        WriteIndex(_typeSpecs, AddBlob(signature), BlobIndexSize);
        return ((int)TableIndex.TypeSpec << 24) | ++_typeSpecCount;
    }

    /// <summary>Returns the token of the member.</summary>
    public int AddMember(int typeSpec, StringHandle name, params byte[] signature)
    {
        int nameSize = reader.GetTableRowSize(TableIndex.ModuleRef);
        int parentSize = reader.GetTableRowSize(TableIndex.MemberRef) - nameSize - BlobIndexSize;
        WriteIndex(_members, ((typeSpec & 0xFFFFFF) << 3) | TypeSpecTag, parentSize);
        WriteIndex(_members, reader.GetHeapOffset(name), nameSize);
        WriteIndex(_members, AddBlob(signature), BlobIndexSize);
        return ((int)TableIndex.MemberRef << 24) | ++_memberCount;
    }

    /// <summary>Returns the new metadata.</summary>
    public byte[] Build()
    {
        int versionLength = ReadInt32(12);
        int position = 16 + versionLength;
        int streams = BinaryPrimitives.ReadUInt16LittleEndian(metadata.AsSpan(position + 2));
        position += 4;
        List<(int Header, string Name, int Offset, int Size)> found = [];
        for (int i = 0; i < streams; i++)
        {
            int end = Array.IndexOf(metadata, (byte)0, position + StreamHeaderSize);
            string name = System.Text.Encoding.ASCII.GetString(metadata[(position + StreamHeaderSize)..end]);
            found.Add((position, name, ReadInt32(position), ReadInt32(position + 4)));
            position = Aligned(end + 1);
        }

        var result = new BlobBuilder(metadata.Length + 1_024);
        byte[] header = metadata[..position];
        result.WriteBytes(header);
        foreach ((int at, string name, int offset, int size) in found)
        {
            byte[] content = Rewrite(name, offset, size);
            BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(at), result.Count);
            BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(at + 4), Aligned(content.Length));
            result.WriteBytes(content);
            result.Align(4);
        }

        byte[] built = result.ToArray();
        header.CopyTo(built, 0);
        return built;
    }

    private byte[] Rewrite(string stream, int offset, int size)
    {
        byte[] old = metadata[offset..(offset + size)];
        return stream switch
        {
            "#~" => RewriteTables(offset, size),
            "#US" => [.. old, .. _strings.ToArray()],
            "#Blob" => [.. old, .. _blobs.ToArray()],
            "#Strings" or "#GUID" => old,
            _ => throw new GraftException($"its metadata has a stream {stream}"),
        };
    }

    private byte[] RewriteTables(int offset, int size)
    {
        var result = new BlobBuilder(size + 1_024);
        int position = offset;
        foreach ((TableIndex table, BlobBuilder rows) in new[] { (TableIndex.MemberRef, _members), (TableIndex.TypeSpec, _typeSpecs) })
        {
            int end = reader.GetTableMetadataOffset(table) + (reader.GetTableRowCount(table) * reader.GetTableRowSize(table));
            result.WriteBytes(metadata[position..end]);
            result.WriteBytes(rows.ToArray());
            position = end;
        }

        result.WriteBytes(metadata[position..(offset + size)]);
        byte[] built = result.ToArray();
        WriteRowCount(built, TableIndex.MemberRef, _memberCount);
        WriteRowCount(built, TableIndex.TypeSpec, _typeSpecCount);
        return built;
    }

    private static void WriteRowCount(byte[] tables, TableIndex table, int count)
    {
        ulong present = BinaryPrimitives.ReadUInt64LittleEndian(tables.AsSpan(8));
        ulong before = present & ((1UL << (int)table) - 1);
        if ((present & (1UL << (int)table)) == 0)
        {
            throw new GraftException($"it has no table {table}");
        }

        BinaryPrimitives.WriteInt32LittleEndian(tables.AsSpan(TablesHeaderSize + (4 * BitOperations.PopCount(before))), count);
    }

    private int AddBlob(byte[] content)
    {
        int offset = reader.GetHeapSize(HeapIndex.Blob) + _blobs.Count;
        _blobs.WriteCompressedInteger(content.Length);
        _blobs.WriteBytes(content);
        return offset;
    }

    /// <summary>The rows of type specifications have one column, an index of a blob.</summary>
    private int BlobIndexSize => reader.GetTableRowSize(TableIndex.TypeSpec);

    private static void WriteIndex(BlobBuilder rows, int value, int size)
    {
        if (size == 4)
        {
            rows.WriteInt32(value);
        }
        else
        {
            rows.WriteUInt16(value <= ushort.MaxValue ? (ushort)value : throw new GraftException("its metadata is too small to grow"));
        }
    }

    private int ReadInt32(int offset) => BinaryPrimitives.ReadInt32LittleEndian(metadata.AsSpan(offset));

    private static int Aligned(int value) => (value + 3) & ~3;
}
