using System.Buffers.Binary;

namespace Tarn.Sanitizing.Grafting;

/// <summary>The hash table of the compiled instances of generic methods, in which the runtime looks for code before it compiles.</summary>
/// <remarks>
/// A header byte has the logarithm of the number of buckets and the size of their bounds. A bucket is a list of a byte of the hash and the
/// distance to an entry. An entry begins with the method's signature: flags, the owner's type, the row of the method.
/// </remarks>
internal sealed class InstanceTable(byte[] image, int offset, int size)
{
    private const int OwnerType = 0x40;
    private const int UpdateContext = 0x80;
    private const int MemberToken = 0x10;

    /// <summary>How many instances of generic methods were compiled.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Writes another row into the signatures of these methods, so that the runtime finds no code and compiles them. Row 1 is no method of
    /// a pool.
    /// </summary>
    /// <param name="owners">The rows of generic classes.</param>
    /// <param name="methods">The rows of methods of theirs.</param>
    /// <returns>How many instances are hidden.</returns>
    public int Hide(HashSet<int> owners, HashSet<int> methods)
    {
        int hidden = 0;
        int first = Byte(offset) >> 2;
        int boundSize = Byte(offset) & 3;
        if (first > 24 || boundSize > 2)
        {
            throw new GraftException("its table of generic methods has an unknown form");
        }

        int start = offset + 1;
        for (int bucket = 0; bucket < 1 << first; bucket++)
        {
            int position = start + ReadBound(start, bucket, boundSize);
            int end = start + ReadBound(start, bucket + 1, boundSize);
            while (position < end)
            {
                position++; // the byte of the hash
                int origin = position;
                int entry = origin + ReadDistance(ref position);
                Count++;
                hidden += HideEntry(entry, owners, methods) ? 1 : 0;
            }
        }

        return hidden;
    }

    private bool HideEntry(int position, HashSet<int> owners, HashSet<int> methods)
    {
        int flags = ReadCompressed(ref position);
        if ((flags & UpdateContext) != 0)
        {
            _ = ReadCompressed(ref position);
        }

        // A generic class of this module: no other owner can be a pool.
        if ((flags & OwnerType) == 0 || (flags & MemberToken) != 0 || Byte(position) != 0x15 || Byte(position + 1) != 0x12)
        {
            return false;
        }

        int type = position + 2;
        int owner = ReadCompressed(ref type);
        if ((owner & 3) != 0 || !owners.Contains(owner >> 2))
        {
            return false;
        }

        SkipType(ref position);
        int at = position;
        if (!methods.Contains(ReadCompressed(ref position)))
        {
            return false;
        }

        image.AsSpan(at, position - at).Clear();
        image[at] = (position - at) switch { 1 => 0, 2 => 0x80, _ => 0xC0 };
        image[position - 1] |= 1;
        return true;
    }

    private void SkipType(ref int position)
    {
        byte kind = Byte(position++);
        switch (kind)
        {
            case <= 0x0E or 0x16 or 0x18 or 0x19 or 0x1C or 0x3E: // primitive types, object, the shared reference type
                break;
            case 0x0F or 0x1D: // a pointer, an array
                SkipType(ref position);
                break;
            case 0x11 or 0x12 or 0x13 or 0x1E: // a value type, a class, a type parameter
                _ = ReadCompressed(ref position);
                break;
            case 0x3F: // a type of another module
                _ = ReadCompressed(ref position);
                SkipType(ref position);
                break;
            case 0x15: // a generic type
                SkipType(ref position);
                for (int count = ReadCompressed(ref position); count > 0; count--)
                {
                    SkipType(ref position);
                }

                break;
            default:
                throw new GraftException($"its pools are compiled for a type of kind 0x{kind:X2}");
        }
    }

    private int ReadBound(int start, int bucket, int boundSize) => boundSize switch
    {
        0 => Byte(start + bucket),
        1 => Byte(start + (2 * bucket)) | (Byte(start + (2 * bucket) + 1) << 8),
        _ => BinaryPrimitives.ReadInt32LittleEndian(Bytes(start + (4 * bucket), 4)),
    };

    /// <summary>A signed number, the length of which is in its lowest bits.</summary>
    private int ReadDistance(ref int position)
    {
        int first = Byte(position);
        int length = 1 + System.Numerics.BitOperations.TrailingZeroCount(~first);
        if (length > 5)
        {
            throw new GraftException("its table of generic methods has a number of unknown form");
        }

        if (length == 5)
        {
            position += 5;
            return BinaryPrimitives.ReadInt32LittleEndian(Bytes(position - 4, 4));
        }

        int value = 0;
        for (int i = 0; i < length; i++)
        {
            int part = i == length - 1 ? (sbyte)Byte(position + i) : Byte(position + i);
            value |= part << (8 * i);
        }

        position += length;
        return value >> length;
    }

    /// <summary>A number as signatures have it.</summary>
    private int ReadCompressed(ref int position)
    {
        int first = Byte(position++);
        if ((first & 0x80) == 0)
        {
            return first;
        }

        if ((first & 0x40) == 0)
        {
            return ((first & 0x3F) << 8) | Byte(position++);
        }

        position += 3;
        return ((first & 0x1F) << 24) | (Byte(position - 3) << 16) | (Byte(position - 2) << 8) | Byte(position - 1);
    }

    private byte Byte(int position) => Bytes(position, 1)[0];

    private ReadOnlySpan<byte> Bytes(int position, int count) => position >= offset && position + (long)count <= offset + (long)size
        ? image.AsSpan(position, count)
        : throw new GraftException("its table of generic methods leads out of itself");
}
