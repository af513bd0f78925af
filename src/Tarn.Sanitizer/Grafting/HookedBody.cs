using System.Buffers.Binary;
using System.Reflection.Metadata;

namespace Tarn.Sanitizing.Grafting;

/// <summary>Method bodies that ask the hook first, and otherwise do what they did.</summary>
/// <remarks>
/// <code>
/// if (AppContext.GetData("Tarn.PoolHook") is Func&lt;object, Type, object&gt; hook
///     &amp;&amp; hook(this, typeof(T)) is ArrayPool&lt;T&gt; pool)
/// {
///     return pool.Rent(length);
/// }
/// </code>
/// The prefix needs no local variable: the old body's keep their numbers. Branches are relative, so that the old instructions stay as
/// they are.
/// </remarks>
internal sealed class HookedBody
{
    private const int FatHeaderSize = 12;

    /// <summary>The hook, the pool and the element's type; the other pool, the array and the flag.</summary>
    private const int PrefixStack = 3;

    private readonly int _name;
    private readonly int _getData;
    private readonly int _func;
    private readonly int _element;
    private readonly int _getTypeFromHandle;
    private readonly int _invoke;
    private readonly int _pool;
    private readonly int _rent;
    private readonly int _return;

    public HookedBody(PoolMethods methods, MetadataAppender metadata, string hookName)
    {
        _name = metadata.AddUserString(hookName);
        _getData = Token(methods.GetData);
        _getTypeFromHandle = Token(methods.GetTypeFromHandle);
        _func = metadata.AddTypeSpec(
            [0x15, 0x12, .. PoolMethods.Coded(methods.Func), 3, 0x1C, 0x12, .. PoolMethods.Coded(methods.Type), 0x1C]);
        _element = metadata.AddTypeSpec(0x13, 0);
        _pool = metadata.AddTypeSpec([0x15, 0x12, .. PoolMethods.Coded(methods.ArrayPool), 1, 0x13, 0]);
        _invoke = metadata.AddMember(_func, methods.Invoke, 0x20, 2, 0x13, 2, 0x13, 0, 0x13, 1);
        _rent = metadata.AddMember(_pool, methods.Rent, 0x20, 1, 0x1D, 0x13, 0, 0x08);
        _return = metadata.AddMember(_pool, methods.Return, 0x20, 2, 0x01, 0x1D, 0x13, 0, 0x02);
    }

    /// <summary>Returns the body of Rent or of Return, with its header.</summary>
    public byte[] Build(MethodBodyBlock old, bool rents)
    {
        if (!old.ExceptionRegions.IsEmpty)
        {
            throw new GraftException("its pools handle exceptions");
        }

        byte[] code = [.. Prefix(rents), .. old.GetILBytes()!];
        byte[] body = [.. new byte[FatHeaderSize], .. code];

        // Fat format, three words of header, and whether local variables begin as zero.
        BinaryPrimitives.WriteUInt16LittleEndian(body, (ushort)(0x3003 | (old.LocalVariablesInitialized ? 0x10 : 0)));
        BinaryPrimitives.WriteUInt16LittleEndian(body.AsSpan(2), (ushort)Math.Max(old.MaxStack, PrefixStack));
        BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(4), code.Length);
        BinaryPrimitives.WriteInt32LittleEndian(body.AsSpan(8), old.LocalSignature.IsNil ? 0 : Token(old.LocalSignature));
        return body;
    }

    private byte[] Prefix(bool rents)
    {
        byte[] call =
        [
            0x03, // ldarg.1
            .. rents ? (byte[])[] : [0x04], // ldarg.2
            .. Instruction(0x6F, rents ? _rent : _return), // callvirt
            0x2A, // ret
        ];
        byte[] ask =
        [
            0x02, // ldarg.0
            .. Instruction(0xD0, _element), // ldtoken
            .. Instruction(0x28, _getTypeFromHandle), // call
            .. Instruction(0x6F, _invoke), // callvirt
            .. Instruction(0x75, _pool), // isinst
            .. UnlessNull(call.Length),
            .. call,
        ];
        return
        [
            .. Instruction(0x72, _name), // ldstr
            .. Instruction(0x28, _getData), // call
            .. Instruction(0x75, _func), // isinst
            .. UnlessNull(ask.Length),
            .. ask,
        ];
    }

    /// <summary>Goes past the next instructions if the value on the stack is null, and then removes it.</summary>
    private static byte[] UnlessNull(int skipped) =>
    [
        0x25, // dup
        0x2D, 6, // brtrue.s
        0x26, // pop
        .. Instruction(0x38, skipped), // br
    ];

    private static byte[] Instruction(byte code, int operand)
    {
        byte[] bytes = [code, 0, 0, 0, 0];
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(1), operand);
        return bytes;
    }

    private static int Token(EntityHandle handle) => System.Reflection.Metadata.Ecma335.MetadataTokens.GetToken(handle);
}
