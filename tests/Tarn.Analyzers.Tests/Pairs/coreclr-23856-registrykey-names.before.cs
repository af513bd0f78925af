// dotnet/coreclr#23856 (RegistryKey.GetValueNames, an iteration of the pull request, caught in its review).
// The buffer was returned before a larger one was rented, and the variable kept it: when the rent or the checked
// product throws, the finally returns it a second time. The fix sets the variable to null before it returns the buffer.
using System;
using System.Buffers;
using System.Collections.Generic;
using System.ComponentModel;

internal sealed class RegistryKeyReader
{
    private const int Success = 0;
    private const int MoreData = 234;
    private const int NoMoreItems = 259;

    private readonly IntPtr _handle;

    internal RegistryKeyReader(IntPtr handle) => _handle = handle;

    internal string[] GetValueNames()
    {
        List<string> names = new();
        char[]? name = ArrayPool<char>.Shared.Rent(100);

        try
        {
            int result;
            int nameLength = name.Length;

            while ((result = Native.EnumerateValue(_handle, names.Count, name, ref nameLength)) != NoMoreItems)
            {
                switch (result)
                {
                    case Success:
                        names.Add(new string(name, 0, nameLength));
                        break;
                    case MoreData:
                        {
                            int oldLength = name.Length;
                            ArrayPool<char>.Shared.Return(name);
                            name = ArrayPool<char>.Shared.Rent(checked(oldLength * 2));
                        }

                        break;
                    default:
                        throw new Win32Exception(result);
                }

                nameLength = name.Length;
            }
        }
        finally
        {
            if (name != null)
            {
                ArrayPool<char>.Shared.Return(name); // expect TARN001
            }
        }

        return names.ToArray();
    }

    private static class Native
    {
        internal static int EnumerateValue(IntPtr handle, int index, char[] name, ref int nameLength) => NoMoreItems;
    }
}
